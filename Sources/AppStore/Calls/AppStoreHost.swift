public import EligibilityRules
import Synchronization

/// One host of the App Store, for the requests of one app.
///
/// It keeps to the pace that Apple allows, repeats failed requests, and sends none while the host is down.
struct AppStoreHost: Sendable {
    /// The environment that the host serves.
    let environment: AppStoreEnvironment
    private let baseURL: String
    private let transport: any AppStoreTransport
    private let system: CallEnvironment
    private let retry: RetryPolicy
    private let circuit: CircuitBreaker
    private let pacer: RequestPacer

    /// - Parameter interval: the time between two requests, in ms; 0 for no pace.
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

    /// Sends a request, and repeats it until an answer is final or the retry policy gives up.
    ///
    /// - Parameters:
    ///   - request: makes the request from the base URL, again for each attempt.
    ///   - judge: returns what an answer means. Attempts are counted from 1.
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
            // A caller's cancellation says nothing about the host.
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

/// When calls to one host are repeated, when none is made, and how long they wait for their turn.
public struct CallPolicy: Equatable, Sendable {
    /// How often and when a request is sent again.
    public let retry: RetryPolicy
    /// The circuit breaker that a host starts with: after how many failures it is not asked, and for how long.
    public let circuit: CircuitState
    /// How long a request may wait for its turn, in ms.
    public let maxTurnWait: Int64

    /// Takes the values as they are.
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

/// The `RequestSchedule` of one app and host, for concurrent callers.
final class RequestPacer: Sendable {
    private let schedule: Mutex<RequestSchedule>

    init(_ schedule: RequestSchedule) { self.schedule = Mutex(schedule) }

    /// Returns how long to wait for a turn, in ms. Throws if that would be too long.
    func turn(at now: Instant, sharers: Int64) throws(AppStoreError) -> Int64 {
        switch schedule.withLock({ $0.reserve(at: now, sharers: sharers) }) {
        case .wait(let milliseconds): return milliseconds
        case .tooLate(let instant):
            throw AppStoreError(.rateLimited, "more requests than the App Store allows are waiting", retryAt: instant)
        }
    }

    /// Delays all turns until an instant that the host asked for.
    func hold(until instant: Instant) { schedule.withLock { $0.hold(until: instant) } }
}

/// One host's `CircuitState`, for concurrent callers.
final class CircuitBreaker: Sendable {
    private let state: Mutex<CircuitState>

    init(_ state: CircuitState) { self.state = Mutex(state) }

    /// Throws if the host must not be asked.
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

/// The pace of requests to one host: each request has a turn, one interval after the turn before.
public struct RequestSchedule: Equatable, Sendable {
    /// When one request may be sent.
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
    ///   - interval: the time between two requests, in ms; 0 for no pace.
    ///   - maxWait: the longest wait for a turn, in ms.
    public init(interval: Int64, maxWait: Int64) {
        self.interval = max(0, interval)
        self.maxWait = max(0, maxWait)
    }

    /// Reserves the next turn.
    ///
    /// - Parameter sharers: the number of processes that share the host's limit. Each multiplies its interval by this number.
    public mutating func reserve(at now: Instant, sharers: Int64 = 1) -> Turn {
        let interval = interval * max(1, sharers)
        // A shared interval can be longer than the usual wait, but a few callers at a time must not be refused.
        let maxWait = sharers > 1 ? max(maxWait, 3 * interval) : maxWait
        // A turn further ahead than this was reserved before the clock was set back.
        let furthest = now.advanced(by: maxWait + interval)
        let reserved = next.flatMap { $0 <= furthest ? $0 : nil }
        let turn = max(now, reserved ?? now, heldUntil ?? now)
        let wait = turn.milliseconds - now.milliseconds
        guard wait <= maxWait else { return .tooLate(at: turn) }
        next = turn.advanced(by: interval)
        return .wait(milliseconds: wait)
    }

    /// Delays all turns until an instant that the host asked for.
    public mutating func hold(until instant: Instant) { heldUntil = max(instant, heldUntil ?? instant) }
}
