import EligibilityRules
package import Logging
import OfferSigning
package import OfferStore

/// Attempts to deliver events, and records what comes of them.
package struct EventAttempts: Sendable {
    private static let rest = Duration.seconds(30)

    let store: any EventStore
    private let transport: any EventTransport
    let system: SystemEnvironment
    private let logger: Logger
    let failures: FailureLog
    private let onAttempt: @Sendable (_ endpoint: String, _ result: String) -> Void

    /// - Parameter onAttempt: receives the endpoint's name and the result: `delivered`, `answered` (otherwise) or `unanswered`.
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

    /// Makes one attempt. One that is cut off by the end of the service is not recorded, and made again.
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
            // It is still due: without a rest the endpoint would get it again and again.
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
        // It waits until the endpoint is enabled.
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

    /// Receivers that failed together are not to be called together again.
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
    /// Why the attempt failed; nil for a success.
    fileprivate var fault: String? {
        switch self {
        case .success: nil
        case .gone: "answered 410: the endpoint wants no more events"
        case .failure(let fault, _): fault
        }
    }
}
