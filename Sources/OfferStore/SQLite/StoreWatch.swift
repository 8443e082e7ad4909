public import Logging
public import ServiceLifecycle

/// Looks at the store's files every second: what happens to them is told then, not when somebody writes next.
public struct StoreWatch: Service {
    private let files: [(name: String, store: SQLiteStore)]
    private let interval: Duration
    private let logger: Logger

    /// - Parameter interval: time between two looks.
    public init(_ signatures: SQLiteStore, _ histories: SQLiteHistoryFile, interval: Duration = .seconds(1), logger: Logger) {
        files = [("signatures", signatures), ("histories", histories.store)]
        self.interval = interval
        self.logger = logger
    }

    /// Looks until the service stops.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: [String: String] = [:]
            while !Task.isCancelled {
                for (name, store) in files { await look(at: store, name, &told) }
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func look(at store: SQLiteStore, _ name: String, _ told: inout [String: String]) async {
        do throws(StoreError) {
            try await store.look()
            guard told.removeValue(forKey: name) != nil else { return }
            logger.notice("the store can be written again", metadata: ["file": "\(name)"])
        } catch {
            guard !Task.isCancelled, told[name] != error.description else { return }
            told[name] = error.description
            logger.error("the store cannot be written", metadata: ["file": "\(name)", "reason": "\(error)"])
        }
    }
}
