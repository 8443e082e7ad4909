import EligibilityRules

/// One host of the App Store as one caller sees it. Requests are paced and repeated, and none is sent while the host is down.
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

    /// Sends a request until its answer is final or it is given up.
    ///
    /// - Parameters:
    ///   - request: makes the request anew for each attempt, from the base URL.
    ///   - judge: returns what the answer to an attempt, counted from 1, means.
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
