public import EligibilityRules
import Synchronization

/// Sends the requests of one app to one host of the App Store.
///
/// It keeps to the rate of requests that Apple allows, sends failed requests again, and sends no requests while the host is
/// down.
struct AppStoreHost: Sendable {
    /// The environment that the host serves.
    let environment: AppStoreEnvironment
    private let baseURL: String
    private let transport: any AppStoreTransport
    private let system: CallEnvironment
    private let retry: RetryPolicy
    private let circuit: CircuitBreaker
    private let pacer: RequestPacer

    /// - Parameter interval: the least time between two requests, in ms; 0 if requests need not be spaced.
    init(
        _ environment: AppStoreEnvironment,
        at baseURL: String,
        interval: Int64,
        transport: any AppStoreTransport,
        policy: CallPolicy,
        system: CallEnvironment
    ) {
        self.environment = environment
        self.baseURL = baseURL
        self.transport = transport
        self.system = system
        retry = policy.retry
        circuit = CircuitBreaker(policy.circuit)
        pacer = RequestPacer(RequestSchedule(interval: interval, maxWait: policy.maxTurnWait))
    }

    /// Sends a request. If `judge` says that it may be sent again, repeats it until an answer is final or the retry policy gives
    /// up.
    ///
    /// - Parameters:
    ///   - request: makes the request from the base URL. It is called for each attempt, because a token may have been replaced.
    ///   - judge: returns what an answer means. It also receives the number of the attempt, from 1.
    func call<Value: Sendable>(
        _ request: (_ baseURL: String) async throws(AppStoreError) -> AppStoreRequest,
        judge: (_ response: AppStoreResponse, _ attempt: Int) -> Judgement<Value>
    ) async throws(AppStoreError) -> Value {
        var attempt = 1
        while true {
            try await wait(try pacer.turn(at: system.now(), sharers: system.sharers()))
            let judgement = try await ask(try await request(baseURL), attempt, judge)
            switch judgement {
            case .final(let result): return try result.get()
            case .retry(let otherwise, let notBefore, _):
                if let notBefore { pacer.hold(until: notBefore) }
                let now = system.now()
                switch retry.decision(after: attempt, random: system.random(), notBefore: notBefore, now: now) {
                case .giveUp: return try otherwise.get()
                case .wait(let milliseconds): try await wait(milliseconds)
                }
            }
            attempt += 1
        }
    }

    private func ask<Value: Sendable>(
        _ request: AppStoreRequest,
        _ attempt: Int,
        _ judge: (AppStoreResponse, Int) -> Judgement<Value>
    ) async throws(AppStoreError) -> Judgement<Value> {
        try circuit.admit(at: system.now())
        let judgement: Judgement<Value>
        do {
            judgement = judge(try await transport.send(request), attempt)
        } catch {
            // Only these two errors count as a failure of the host. A cancelled call, for example, says nothing about the host.
            guard error.code == .unreachable || error.code == .timedOut else { throw error }
            judgement = .hostFailure(error)
        }
        if case .retry(_, _, isHostFailure: true) = judgement {
            circuit.noteFailure(at: system.now())
        } else {
            circuit.noteSuccess()
        }
        return judgement
    }

    private func wait(_ milliseconds: Int64) async throws(AppStoreError) {
        guard milliseconds > 0 else { return }
        do {
            try await system.sleep(milliseconds)
        } catch {
            throw AppStoreError(.cancelled, "the caller gave up while waiting to ask the App Store again")
        }
    }
}

/// The rules for calls to one host: when a call is repeated, when none is made, and how long a call waits for its turn.
public struct CallPolicy: Equatable, Sendable {
    /// How often and when a request is sent again.
    public let retry: RetryPolicy
    /// The circuit breaker of each host: after how many failures the host is not asked, and for how long.
    public let circuit: CircuitState
    /// How long a request may wait for its turn, in ms.
    public let maxTurnWait: Int64

    /// The defaults are those that the service uses.
    public init(
        retry: RetryPolicy = RetryPolicy(),
        circuit: CircuitState = CircuitState(threshold: 10, coolDown: 30_000),
        maxTurnWait: Int64 = 2000
    ) {
        self.retry = retry
        self.circuit = circuit
        self.maxTurnWait = maxTurnWait
    }
}

/// Guards the `RequestSchedule` of one app and host with a lock, for concurrent callers.
final class RequestPacer: Sendable {
    private let schedule: Mutex<RequestSchedule>

    init(_ schedule: RequestSchedule) { self.schedule = Mutex(schedule) }

    /// Reserves a turn and returns how long to wait for it, in ms. Throws, and reserves nothing, if the wait would be too long.
    func turn(at now: Instant, sharers: Int64) throws(AppStoreError) -> Int64 {
        switch schedule.withLock({ $0.reserve(at: now, sharers: sharers) }) {
        case .wait(let milliseconds): return milliseconds
        case .tooLate(let instant):
            throw AppStoreError(.rateLimited, "more requests than the App Store allows are waiting", retryAt: instant)
        }
    }

    /// Reserves no turn before this instant, because the host has asked for a pause.
    func hold(until instant: Instant) { schedule.withLock { $0.hold(until: instant) } }
}

/// Guards the `CircuitState` of one host with a lock, for concurrent callers.
final class CircuitBreaker: Sendable {
    private let state: Mutex<CircuitState>

    init(_ state: CircuitState) { self.state = Mutex(state) }

    /// Throws if the host must not be asked now, because it has failed too often.
    func admit(at now: Instant) throws(AppStoreError) {
        let refusedUntil: Instant? = state.withLock { $0.admit(at: now) ? nil : $0.openUntil }
        guard let refusedUntil else { return }
        throw AppStoreError(
            .circuitOpen, "the App Store failed repeatedly; the service waits before it asks again", retryAt: refusedUntil)
    }

    /// Records that the host has answered.
    func noteSuccess() { state.withLock { $0.noteSuccess() } }

    /// Records that the host has failed.
    func noteFailure(at now: Instant) { state.withLock { $0.noteFailure(at: now) } }
}

/// Spaces the requests to one host: each request has a turn, which comes one interval after the turn before it.
public struct RequestSchedule: Equatable, Sendable {
    /// The result of asking for a turn.
    public enum Turn: Equatable, Sendable {
        case wait(milliseconds: Int64)
        /// The turn would come too late. Nothing was reserved.
        case tooLate(at: Instant)
    }

    private let interval: Int64
    private let maxWait: Int64
    private var next: Instant?
    private var heldUntil: Instant?

    /// - Parameters:
    ///   - interval: the least time between two requests, in ms; 0 if requests need not be spaced.
    ///   - maxWait: the longest wait for a turn, in ms.
    public init(interval: Int64, maxWait: Int64) {
        self.interval = max(0, interval)
        self.maxWait = max(0, maxWait)
    }

    /// Reserves the next turn.
    ///
    /// - Parameter sharers: the number of processes that share the limit that the host sets. Each process multiplies its interval
    ///   by this number, so that all of them together keep to the limit.
    public mutating func reserve(at now: Instant, sharers: Int64 = 1) -> Turn {
        let interval = interval * max(1, sharers)
        // With many processes, one interval can be longer than `maxWait`. Allowing three intervals lets a few callers come at
        // once.
        let maxWait = sharers > 1 ? max(maxWait, 3 * interval) : maxWait
        // No turn is reserved further ahead than this. If one is, the clock was set back since, and that turn is ignored.
        let furthest = now.advanced(by: maxWait + interval)
        let reserved = next.flatMap { $0 <= furthest ? $0 : nil }
        let turn = max(now, reserved ?? now, heldUntil ?? now)
        let wait = turn.milliseconds - now.milliseconds
        guard wait <= maxWait else { return .tooLate(at: turn) }
        next = turn.advanced(by: interval)
        return .wait(milliseconds: wait)
    }

    /// Reserves no turn before this instant, because the host has asked for a pause.
    public mutating func hold(until instant: Instant) { heldUntil = max(instant, heldUntil ?? instant) }
}
