package import Logging
package import OfferSigning
import ServiceLifecycle
import Synchronization

/// The keys of one issuer that are in force. They are read at the start, periodically, and when a token names an unknown key.
package final class CurrentTokenKeys: Service {
    /// How the keys are read, and how long they are in force.
    package struct Terms: Sendable {
        /// The time between two reads.
        package let interval: Duration
        /// How long keys stay in force after they were last read successfully, in ms.
        package let maxAge: Int64
        /// The algorithms whose keys are accepted.
        package let algorithms: Set<TokenAlgorithm>

        package init(interval: Duration, maxAge: Int64, algorithms: Set<TokenAlgorithm>) {
            self.interval = interval
            self.maxAge = maxAge
            self.algorithms = algorithms
        }
    }

    /// The keys that are in force.
    ///
    /// Each change of the keys begins a new generation. A token that was verified with an earlier generation is verified again.
    struct Snapshot: Sendable {
        let keys: TokenKeySet
        let generation: Int
    }

    private struct State {
        var snapshot: Snapshot?
        var digest: [UInt8] = []
        var generation = 0
        /// When a read last succeeded, and when a read last began, both in ms since boot.
        var readAt: Int64?
        var lookedAt: Int64?
        var look: Task<Void, Never>?
    }

    /// The minimum time between two reads for unknown keys, in ms. Without it, a client that invents keys could flood the issuer.
    private static let minGap: Int64 = 10_000
    /// The maximum time from a failed read to the next one.
    private static let retryInterval = Duration.seconds(30)

    /// The issuer's `iss`. Messages name the issuer by it.
    package let issuer: String
    private let terms: Terms
    private let load: @Sendable () async throws -> [UInt8]
    private let system: SystemEnvironment
    private let failures: FailureLog
    private let logger: Logger
    private let state = Mutex(State())

    /// There are no keys before the first read.
    ///
    /// - Parameter load: returns the issuer's document. An error that it throws is shown to operators.
    package init(
        issuer: String,
        terms: Terms,
        system: SystemEnvironment,
        failures: FailureLog,
        logger: Logger,
        load: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.issuer = issuer
        self.terms = terms
        self.load = load
        self.system = system
        self.failures = failures
        self.logger = logger
    }

    /// Reads at once and then periodically, until the service stops.
    package func run() async throws {
        await system.rounds { [self] in
            await look()
            return nextInterval
        }
    }

    /// The keys in force; nil if no read has succeeded yet, or if the last successful read is too long ago.
    var current: Snapshot? {
        let now = system.uptime()
        return state.withLock { state in
            guard let readAt = state.readAt, now - readAt <= terms.maxAge else { return nil }
            return state.snapshot
        }
    }

    /// The number of keys in force, and the seconds since they were last read successfully; nil before the first read.
    package var standing: (count: Int, age: Double?) {
        let (now, readAt) = (system.uptime(), state.withLock(\.readAt))
        return (current?.keys.keys.count ?? 0, readAt.map { Double(now - $0) / 1000 })
    }

    /// Reads the keys again, because a token names a key that is not known here and may be new. Does nothing if they were just
    /// read.
    func lookForUnknownKey() async {
        let now = system.uptime()
        let mayLook = state.withLock { $0.look != nil || $0.lookedAt.map { now - $0 >= Self.minGap } ?? true }
        if mayLook { await look() }
    }

    /// Reads the keys now. Concurrent calls share one read.
    func look() async {
        let now = system.uptime()
        let look = state.withLock { state in
            if let look = state.look { return look }
            state.lookedAt = now
            let look = Task { await lookOnce() }
            state.look = look
            return look
        }
        await look.value
    }

    private func lookOnce() async {
        do {
            try take(try await load())
        } catch {
            failures.note("the keys of end users' tokens cannot be read; those in force stay", failure(error))
        }
        state.withLock { $0.look = nil }
    }

    /// Puts the keys of a document in force.
    ///
    /// If the document is not a set of keys, the present keys stay in force. An empty set removes all keys.
    private func take(_ document: [UInt8]) throws(TokenError) {
        let now = system.uptime()
        let digest = Crypto.sha256(document)
        let isKnown = state.withLock { state in
            guard state.snapshot != nil, state.digest == digest else { return false }
            state.readAt = now
            return true
        }
        guard !isKnown else { return }
        let keys = try TokenKeySet(json: document, algorithms: terms.algorithms)
        state.withLock { state in
            state.generation += 1
            state.snapshot = Snapshot(keys: keys, generation: state.generation)
            state.digest = digest
            state.readAt = now
        }
        report(of: keys)
    }

    private func report(of keys: TokenKeySet) {
        var metadata: Logger.Metadata = ["issuer": "\(issuer)", "keys": "\(keys.keys.count)"]
        if !keys.faults.isEmpty { metadata["unusable"] = "\(keys.faults.joined(separator: "; "))" }
        let level: Logger.Level = keys.keys.isEmpty ? .warning : .notice
        logger.log(level: level, "the keys of end users' tokens were read", metadata: metadata)
    }

    private var nextInterval: Duration {
        let worked = state.withLock { $0.readAt != nil && $0.readAt! >= $0.lookedAt ?? 0 }
        return worked ? terms.interval : min(terms.interval, Self.retryInterval)
    }

    private func failure(_ error: any Error) -> Failure {
        guard let error = error as? TokenError else { return .of(error) }
        return Failure(.tokenIssuer, error.code.rawValue, "\(issuer): \(error.detail)")
    }
}
