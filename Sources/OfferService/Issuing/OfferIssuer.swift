import EligibilityRules
package import OfferStore

/// The use case: check, decide, sign, record, answer. Does not depend on HTTP.
package final class OfferIssuer: Sendable {
    /// The bytes that answer a request, and whether they are those of an earlier one.
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
    /// Nil: there are none.
    let campaigns: LiveCampaigns?
    let exposures: ExposureMemory
    /// Nil: nothing is limited.
    let limits: (any OfferLimiting)?
    private let idempotency: IdempotencyDesk

    /// Takes what it works with as it is.
    package init(
        keys: any OfferKeys,
        nonces: NonceDesk,
        clock: SigningClock,
        ledger: any Ledger,
        histories: HistoryLookup,
        observer: any IssueObserver,
        campaigns: LiveCampaigns? = nil,
        exposures: ExposureMemory = ExposureMemory(),
        limits: (any OfferLimiting)? = nil
    ) {
        self.keys = keys
        self.nonces = nonces
        self.clock = clock
        self.ledger = ledger
        self.histories = histories
        self.observer = observer
        self.campaigns = campaigns
        self.exposures = exposures
        self.limits = limits
        idempotency = IdempotencyDesk(ledger: ledger, system: histories.intake.system)
    }

    /// Answers a request with one result an item, or fails as a whole; replies on the lane's loop.
    ///
    /// No signature leaves before its row is durable.
    ///
    /// - Parameters:
    ///   - app: that of the request; throws where the caller may not act for it. A stored answer does not depend on it.
    ///   - idempotency: nil: an answer is not kept.
    ///   - render: turns what was issued into the answer's bytes.
    package func issue(
        _ request: SignatureRequest,
        of app: @escaping () throws -> App,
        for caller: Caller,
        from supplier: Supplier,
        idempotency: Idempotency?,
        lane: StoreLane,
        render: @escaping (IssuedOffers) -> [UInt8],
        reply: @escaping Reply
    ) {
        let issue = { [self] (reply: @escaping Reply) in
            do {
                let turn = SignatureTurn(
                    try request.asked(by: caller), issuer: self, app: try app(), caller: caller, supplier: supplier,
                    idempotency: idempotency, lane: lane, render: render, reply: reply)
                turn.begin()
            } catch {
                reply(.failure(error))
            }
        }
        guard let idempotency else { return issue(reply) }
        // A stored answer may be older than what the caller is allowed now.
        do { try request.checkGrants(for: caller, app: app) } catch { return reply(.failure(error)) }
        self.idempotency.answer(idempotency, caller: caller, lane: lane, reply: reply, execute: issue)
    }
}
