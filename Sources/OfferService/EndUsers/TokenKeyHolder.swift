package import Logging
package import OfferSigning
import ServiceLifecycle
import Synchronization

/// The keys of one issuer in force: read at the start, again and again, and when a token names one that is not known.
package final class TokenKeyHolder: Service {
    /// How the keys are read, and how long they are believed.
    package struct Terms: Sendable {
        /// Time between two looks.
        package let interval: Duration
        /// How long they count after the last look that worked, in ms.
        package let maxAge: Int64
        /// Those that count.
        package let algorithms: Set<TokenAlgorithm>

        /// Takes the values as they are.
        package init(interval: Duration, maxAge: Int64, algorithms: Set<TokenAlgorithm>) {
            self.interval = interval
            self.maxAge = maxAge
            self.algorithms = algorithms
        }
    }

    /// What is in force. Tokens that were verified with another generation are verified again.
    struct Snapshot: Sendable {
        let keys: TokenKeySet
        let generation: Int
    }

    private struct State {
        var snapshot: Snapshot?
        var digest: [UInt8] = []
        var generation = 0
        /// When a look last worked, and when the last one began, in ms since the machine was started.
        var readAt: Int64?
        var lookedAt: Int64?
        var look: Task<Void, Never>?
    }

    /// Between two looks for the sake of unknown keys, in ms: whoever makes keys up must not have the issuer flooded.
    private static let minGap: Int64 = 10_000
    /// After a look that did not work, at the latest.
    private static let retryInterval = Duration.seconds(30)

    /// `iss`, for people.
    package let issuer: String
    private let terms: Terms
    private let load: @Sendable () async throws -> [UInt8]
    private let system: SystemEnvironment
    private let failures: FailureLog
    private let logger: Logger
    private let state = Mutex(State())

    /// Knows no key yet.
    ///
    /// - Parameter load: gives the document, or throws what operators are told.
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

    /// Looks at once and then again and again, until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            repeat { await look() } while (try? await system.sleep(nextInterval)) != nil
        }
    }

    /// What is in force now; nil before the first look that worked, and when that is too long ago.
    var current: Snapshot? {
        let now = system.uptime()
        return state.withLock { state in
            guard let readAt = state.readAt, now - readAt <= terms.maxAge else { return nil }
            return state.snapshot
        }
    }

    /// How many keys are in force, and the time since a look last worked, in s; nil before the first.
    package var standing: (count: Int, age: Double?) {
        let (now, readAt) = (system.uptime(), state.withLock(\.readAt))
        return (current?.keys.keys.count ?? 0, readAt.map { Double(now - $0) / 1000 })
    }

    /// Looks for a key that was made a moment ago, unless somebody has just done so.
    func lookForUnknownKey() async {
        let now = system.uptime()
        let mayLook = state.withLock { $0.look != nil || $0.lookedAt.map { now - $0 >= Self.minGap } ?? true }
        if mayLook { await look() }
    }

    /// Looks now. Whoever asks while it is under way shares it.
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

    /// Puts a document in force. One that is no set of keys changes nothing; a set counts as it is, be it empty.
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
        tell(of: keys)
    }

    private func tell(of keys: TokenKeySet) {
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
