import EligibilityRules
package import OfferStore

/// The use case that signs offers: it checks a request, decides, signs, records and answers. It knows nothing of HTTP.
package final class OfferIssuer: Sendable {
    /// The bytes of an answer, and whether they are those of an earlier answer.
    package struct Issuance: Sendable {
        package let body: [UInt8]
        package let isReplay: Bool
    }

    package typealias Reply = (Result<Issuance, any Error>) -> Void

    let keys: any OfferKeys
    let nonces: NonceDesk
    let clock: SigningClock
    package let ledger: any Ledger
    let histories: HistoryLookup
    let observer: any IssueObserver
    let rules: OfferRules
    private let idempotency: IdempotencyDesk

    package init(
        keys: any OfferKeys,
        nonces: NonceDesk,
        clock: SigningClock,
        ledger: any Ledger,
        histories: HistoryLookup,
        observer: any IssueObserver,
        rules: OfferRules = OfferRules()
    ) {
        self.keys = keys
        self.nonces = nonces
        self.clock = clock
        self.ledger = ledger
        self.histories = histories
        self.observer = observer
        self.rules = rules
        idempotency = IdempotencyDesk(ledger: ledger, system: histories.intake.system)
    }

    /// Answers a request with one result for each item, or fails as a whole. Replies on the event loop of the lane.
    ///
    /// No signature leaves the service before its row in the ledger is durable.
    ///
    /// - Parameters:
    ///   - idempotency: the idempotency key of the request; nil if the answer is not to be kept.
    ///   - render: makes the bytes of the answer from the outcome.
    package func issue(
        _ request: SignatureRequest,
        of app: App,
        for caller: Caller,
        from supplier: Supplier,
        idempotency: Idempotency?,
        lane: StoreLane,
        render: @escaping (IssuedOffers) -> [UInt8],
        reply: @escaping Reply
    ) {
        do {
            // This is checked before a stored answer is looked up, because the caller may have lost the permission since that
            // answer.
            try request.checkGrants(for: caller, of: app)
            let turn = SignatureTurn(
                try request.asked(by: caller), issuer: self, app: app, caller: caller, supplier: supplier,
                idempotency: idempotency, lane: lane, render: render)
            guard let idempotency else { return turn.begin(reply) }
            self.idempotency.answer(idempotency, caller: caller, lane: lane, reply: reply, execute: turn.begin)
        } catch {
            reply(.failure(error))
        }
    }
}

/// The campaigns and limits that decide about offers, besides eligibility.
package struct OfferRules: Sendable {
    /// The campaigns; nil if there are none.
    let campaigns: LiveCampaigns?
    /// The exposures that were recorded lately and need not be written again.
    let exposures: ExposureMemory
    /// The limits of offers and campaigns; nil if nothing is limited.
    let limits: (any OfferLimiting)?

    package init(
        campaigns: LiveCampaigns? = nil,
        exposures: ExposureMemory = ExposureMemory(),
        limits: (any OfferLimiting)? = nil
    ) {
        self.campaigns = campaigns
        self.exposures = exposures
        self.limits = limits
    }
}
