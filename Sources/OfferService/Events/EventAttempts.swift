import EligibilityRules
package import Logging
import OfferSigning
package import OfferStore

/// Makes attempts to deliver events, and records their results.
package struct EventAttempts: Sendable {
    private static let rest = Duration.seconds(30)

    let store: any EventStore
    private let transport: any EventTransport
    let system: SystemEnvironment
    private let logger: Logger
    let failures: FailureLog
    private let onAttempt: @Sendable (_ endpoint: String, _ result: String) -> Void

    /// - Parameter onAttempt: receives the endpoint's name and the result. The result is `delivered`, `answered` if the endpoint
    ///   has answered with an error, or `unanswered`.
    package init(
        store: any EventStore,
        transport: any EventTransport,
        system: SystemEnvironment,
        logger: Logger,
        failures: FailureLog,
        onAttempt: @escaping @Sendable (_ endpoint: String, _ result: String) -> Void
    ) {
        self.store = store
        self.transport = transport
        self.system = system
        self.logger = logger
        self.failures = failures
        self.onAttempt = onAttempt
    }

    /// Makes one attempt to deliver an event.
    ///
    /// If the service stops during the attempt, the attempt is not recorded. It is made again after the next start.
    func attempt(_ delivery: EventDelivery, to endpoint: EventEndpoint) async {
        let (began, uptime) = (system.now(), system.uptime())
        let answer = await answer(to: delivery, from: endpoint, at: began)
        guard !Task.isCancelled else { return }
        let meaning = answer.meaning(at: system.now())
        onAttempt(endpoint.name, meaning == .success ? "delivered" : answer.status == nil ? "unanswered" : "answered")
        let outcome = outcome(
            of: delivery, meaning,
            EventAttempt(
                at: began, milliseconds: system.uptime() - uptime, status: answer.status,
                fault: meaning.fault))
        do {
            if meaning == .gone { try await disable(endpoint) }
            try await store.record([outcome])
        } catch {
            failures.note("the result of a delivery could not be recorded", .of(error))
            // The delivery is still due. Without a rest, the endpoint would receive it again and again.
            try? await system.sleep(Self.rest)
            return
        }
        guard outcome.state == .failed else { return }
        logger.error(
            "an event was not delivered, and is not sent again",
            metadata: [
                "endpoint": "\(endpoint.name)", "number": "\(delivery.number)", "type": "\(delivery.event.type)",
                "reason": "\(meaning.fault ?? "")", "remedy": "offersigner events replay \(delivery.number)",
            ])
    }

    private func answer(
        to delivery: EventDelivery,
        from endpoint: EventEndpoint,
        at now: Instant
    ) async -> EventAnswer {
        let message = EventMessage(delivery.event)
        guard message.body.count < EventMessage.maxSize else {
            return EventAnswer(noAnswer: "not sent: the body has \(message.body.count) bytes")
        }
        do throws(SigningError) {
            return await transport.post(message.body, headers: try message.headers(at: now, by: endpoint.secrets), to: endpoint)
        } catch {
            return EventAnswer(noAnswer: "not sent: it could not be signed (\(error.code.rawValue))")
        }
    }

    private func outcome(
        of delivery: EventDelivery,
        _ meaning: EventAnswer.Meaning,
        _ attempt: EventAttempt
    ) -> EventAttemptOutcome {
        switch meaning {
        case .success: return EventAttemptOutcome(number: delivery.number, attempt: attempt, state: .delivered, dueAt: nil)
        // The endpoint is disabled, and the delivery waits until it is enabled again.
        case .gone: return EventAttemptOutcome(number: delivery.number, attempt: attempt, state: .pending, dueAt: system.now())
        case .failure: break
        }
        guard let wait = EventRetries.wait(after: delivery.attempts + 1, jitter: jitter()) else {
            return EventAttemptOutcome(number: delivery.number, attempt: attempt, state: .failed, dueAt: nil)
        }
        var dueAt = system.now().advanced(by: wait)
        if case .failure(_, let notBefore?) = meaning { dueAt = max(dueAt, notBefore) }
        return EventAttemptOutcome(number: delivery.number, attempt: attempt, state: .pending, dueAt: dueAt)
    }

    /// A random number from 0 to 1. It makes the waits differ, so that endpoints that failed together are not called together
    /// again.
    private func jitter() -> Double { (try? system.randomBytes(1)).map { Double($0[0]) / 255 } ?? 0.5 }

    private func disable(_ endpoint: EventEndpoint) async throws(StoreError) {
        let now = system.now()
        let event = Origin.service.event(
            .disableEvents, at: now, object: AuditObject(endpoint.name), reason: "it answered 410: it wants no more events")
        guard try await store.setDisabled(endpoint.name, at: now, audit: [event]) else { return }
        logger.error(
            "an endpoint answered 410 and receives no more events",
            metadata: ["endpoint": "\(endpoint.name)", "remedy": "offersigner events enable \(endpoint.name)"])
    }
}

extension EventAnswer.Meaning {
    /// Why the attempt failed; nil if it succeeded.
    fileprivate var fault: String? {
        switch self {
        case .success: nil
        case .gone: "answered 410: the endpoint wants no more events"
        case .failure(let fault, _): fault
        }
    }
}

/// Sends the requests that deliver events.
///
/// The implementation over HTTP is in the composition root.
package protocol EventTransport: Sendable {
    /// Posts a body to an endpoint and waits up to 15 s for the answer.
    func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)],
        to endpoint: EventEndpoint
    ) async -> EventAnswer
}

/// The waits between failed attempts, as Standard Webhooks recommends them.
enum EventRetries {
    /// The waits in seconds: the first one follows the first attempt, the second one follows the second attempt, and so on.
    static let waits: [Int64] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

    /// Returns how long to wait after this number of attempts, in ms; nil if no further attempt is made.
    ///
    /// - Parameter jitter: a number from 0 to 1. With 0 the wait is 10 % shorter, with 1 it is 10 % longer.
    static func wait(after attempts: Int, jitter: Double) -> Int64? {
        guard attempts <= waits.count else { return nil }
        return Int64(Double(waits[max(attempts, 1) - 1] * 1000) * (0.9 + 0.2 * jitter))
    }
}

/// What an endpoint has answered to an attempt.
package struct EventAnswer: Equatable, Sendable {
    /// What an answer means for the delivery.
    enum Meaning: Equatable, Sendable {
        case success
        /// The endpoint wants no more events at all.
        case gone
        /// The attempt has failed, for the reason in the text.
        ///
        /// `notBefore` is the instant before which the endpoint wants no further attempt; nil if it names none.
        case failure(String, notBefore: Instant?)
    }

    private static let longestWait: Int64 = 24 * 3600 * 1000

    /// The HTTP status; nil if there is no answer.
    let status: Int?
    private let retryAfter: String?
    private let fault: String

    /// - Parameter retryAfter: the value of the header `Retry-After`; nil if there is none.
    package init(status: Int, retryAfter: String?) {
        self.status = status
        self.retryAfter = retryAfter
        fault = ""
    }

    /// - Parameter fault: why there is no answer, without addresses and without content.
    package init(noAnswer fault: String) {
        status = nil
        retryAfter = nil
        self.fault = fault
    }

    /// What the answer means for the delivery.
    func meaning(at now: Instant) -> Meaning {
        guard let status else { return .failure(fault, notBefore: nil) }
        switch status {
        case 200..<300: return .success
        case 410: return .gone
        case 300..<400: return .failure("answered \(status); redirects are not followed", notBefore: nil)
        case 429, 503: return .failure("answered \(status)", notBefore: Self.instant(retryAfter, at: now))
        default: return .failure("answered \(status)", notBefore: nil)
        }
    }

    /// Reads the header `Retry-After`, which is a number of seconds or a date of RFC 9110. The result is at most a day from now.
    private static func instant(_ text: String?, at now: Instant) -> Instant? {
        guard let text else { return nil }
        let wait = Int64(text).map { min(max(0, $0), longestWait / 1000) * 1000 }
        guard let wait = wait ?? Instant(httpDate: text)?.milliseconds(since: now), wait > 0 else { return nil }
        return now.advanced(by: min(wait, longestWait))
    }
}
