package import Logging
package import OfferStore
import ServiceLifecycle

/// Checks the store's files every second, so that a fault is reported at once and not at the next write.
package struct StoreWatch: Service {
    private let files: [(name: String, file: any StoredFile)]
    private let interval: Duration
    private let system: SystemEnvironment
    private let logger: Logger

    /// - Parameter interval: time between two looks.
    package init(
        signatures: any StoredFile,
        histories: any StoredFile,
        interval: Duration = .seconds(1),
        system: SystemEnvironment,
        logger: Logger
    ) {
        files = [("signatures", signatures), ("histories", histories)]
        self.interval = interval
        self.system = system
        self.logger = logger
    }

    /// Looks until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: [String: String] = [:]
            while !Task.isCancelled {
                for (name, file) in files { await look(at: file, name, &told) }
                try? await system.sleep(interval)
            }
        }
    }

    private func look(at file: any StoredFile, _ name: String, _ told: inout [String: String]) async {
        do throws(StoreError) {
            try await file.look()
            guard told.removeValue(forKey: name) != nil else { return }
            logger.notice("the store can be written again", metadata: ["file": "\(name)"])
        } catch {
            guard !Task.isCancelled, told[name] != error.description else { return }
            told[name] = error.description
            logger.error("the store cannot be written", metadata: ["file": "\(name)", "reason": "\(error)"])
        }
    }
}
