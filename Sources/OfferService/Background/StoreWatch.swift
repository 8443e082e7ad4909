package import Logging
package import OfferStore
import ServiceLifecycle

/// Checks the store every second, so that a fault is reported at once and not at the next write.
package struct StoreWatch: Service {
    private let files: [(name: String, file: any StoredFile)]
    private let commits: (ledger: any Ledger, standing: StoreStanding)?
    private let interval: Duration
    private let system: SystemEnvironment
    private let logger: Logger

    /// - Parameters:
    ///   - commits: the ledger of a database server, with the standing that remembers when a commit last succeeded. At each look
    ///     an empty submission is committed to it. Nil for SQLite files, to which the look writes nothing.
    ///   - interval: time between two looks.
    package init(
        signatures: any StoredFile,
        histories: any StoredFile,
        commits: (ledger: any Ledger, standing: StoreStanding)? = nil,
        interval: Duration = .seconds(1),
        system: SystemEnvironment,
        logger: Logger
    ) {
        files = [("signatures", signatures), ("histories", histories)]
        self.commits = commits
        self.interval = interval
        self.system = system
        self.logger = logger
    }

    /// Looks at the store every interval until the service stops.
    package func run() async throws {
        await system.rounds([String: String]()) { reported in
            for (name, file) in files { await note(name, &reported) { () throws(StoreError) in try await file.look() } }
            if let (ledger, standing) = commits {
                await note("commits", &reported) { () throws(StoreError) in try await standing.probe(ledger) }
            }
            return interval
        }
    }

    private func note(
        _ name: String,
        _ reported: inout [String: String],
        _ look: () async throws(StoreError) -> Void
    ) async {
        do throws(StoreError) {
            try await look()
            guard reported.removeValue(forKey: name) != nil else { return }
            logger.notice("the store can be written again", metadata: ["file": "\(name)"])
        } catch {
            guard !Task.isCancelled, reported[name] != error.description else { return }
            reported[name] = error.description
            logger.error("the store cannot be written", metadata: ["file": "\(name)", "reason": "\(error)"])
        }
    }
}
