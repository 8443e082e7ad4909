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
            var reported: [String: String] = [:]
            while !Task.isCancelled {
                for (name, file) in files { await look(at: file, name, &reported) }
                try? await system.sleep(interval)
            }
        }
    }

    private func look(at file: any StoredFile, _ name: String, _ reported: inout [String: String]) async {
        do throws(StoreError) {
            try await file.look()
            guard reported.removeValue(forKey: name) != nil else { return }
            logger.notice("the store can be written again", metadata: ["file": "\(name)"])
        } catch {
            guard !Task.isCancelled, reported[name] != error.description else { return }
            reported[name] = error.description
            logger.error("the store cannot be written", metadata: ["file": "\(name)", "reason": "\(error)"])
        }
    }
}
