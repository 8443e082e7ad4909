import EligibilityRules
import NIOCore
import OfferStore

/// One request for signatures, from the check to the answer. It is confined to the event loop of its lane.
final class SignatureTurn: LimitedTurn {
    let issuer: OfferIssuer
    let app: App
    let caller: Caller
    let supplier: Supplier
    let lane: StoreLane
    private(set) var request: SignatureRequest
    /// The offer of the first item; nil if that item names no promotional offer.
    private(set) var offer: LimitedOffer?
    /// The campaigns, in the same snapshot until the request is answered; nil if no item asks for campaigns.
    let campaigns: AppCampaigns?
    private(set) var histories = RequestHistories()
    var findings: [LimitFinding] = []
    private let idempotency: Idempotency?
    let render: (IssuedOffers) -> [UInt8]
    /// What the request's signed transactions have shown.
    private(set) var shown: ShownPurchase?
    private var reply: OfferIssuer.Reply = { _ in }
    /// The draft that is waiting to be recorded.
    private var draft: Draft?
    /// The key that turned out to be revoked when its signature was to be recorded.
    private var revokedKeyID: String?

    init(
        _ request: SignatureRequest,
        issuer: OfferIssuer,
        app: App,
        caller: Caller,
        supplier: Supplier,
        idempotency: Idempotency?,
        lane: StoreLane,
        render: @escaping (IssuedOffers) -> [UInt8]
    ) {
        self.request = request
        self.issuer = issuer
        self.app = app
        self.caller = caller
        self.supplier = supplier
        self.idempotency = idempotency
        self.lane = lane
        self.render = render
        campaigns = request.asksCampaigns ? issuer.rules.campaigns?.campaigns(of: app) ?? AppCampaigns.none : nil
    }

    /// Checks the request, looks its customers up, and decides. Calls `reply` once.
    func begin(_ reply: @escaping OfferIssuer.Reply) {
        self.reply = reply
        do { offer = try check() } catch { return reply(.failure(error)) }
        issuer.histories.takeSigned(of: request.customer, app, from: supplier, lane: lane) { [self] shown in
            do {
                let (customer, shown) = try shown.get()
                if case .others = shown { throw HistoryError.boundToAnotherCustomer }
                request.customer = customer
                find(shown)
            } catch {
                reply(.failure(error))
            }
        }
    }

    /// Looks up the histories on which the answer depends.
    private func find(_ shown: ShownPurchase?) {
        self.shown = shown
        histories = RequestHistories(
            of: request, shown, in: app.partition, for: caller, isWhole: campaigns?.needsWholeHistory(in: app) ?? false)
        guard !histories.queries.isEmpty else { return decide() }
        var failure: (any Error)?
        var missing = histories.queries.count
        for (place, query) in histories.queries.enumerated() {
            lane.find(query) { [self] result in
                do {
                    histories.take(try result.get().reliable(), at: place)
                } catch {
                    failure = failure ?? error
                }
                missing -= 1
                guard missing == 0 else { return }
                if let failure { reply(.failure(failure)) } else { decide() }
            }
        }
    }

    /// Decides, signs, and records the result.
    func decide() {
        do {
            let plan = try plan()
            guard !plan.inputs.isEmpty else { return record(try draft(of: plan, [])) }
            switch try plan.key.sign(plan.inputs) {
            case .done(let outputs): record(try draft(of: consume plan, outputs))
            case .pending(let begin): wait(for: begin, plan)
            }
        } catch {
            settle(error)
        }
    }

    /// Waits until a key in a hardware module has signed, and then continues on the event loop of the lane.
    ///
    /// The key may be revoked while this waits.
    private func wait(for begin: (@escaping Signing.Completion) -> Void, _ plan: Plan) {
        let proceed = { [self] (result: Result<[SigningOutput], any Error>) in
            do {
                let outputs = try result.get()
                guard issuer.keys.isGood(plan.key.id, of: app) else { return decide(without: plan.key.id) }
                record(try draft(of: plan, outputs))
            } catch {
                reply(.failure(error))
            }
        }
        let bound = NIOLoopBound(proceed, eventLoop: lane.eventLoop)
        begin { result in bound.eventLoop.execute { bound.value(result) } }
    }

    /// Decides again with the key that signs now, because a signature with a revoked key must not be sent.
    private func decide(without keyID: String) {
        guard revokedKeyID != keyID else {
            return reply(.failure(IssueError.notReady("the key \(keyID) has just been revoked", of: .keys)))
        }
        revokedKeyID = keyID
        // If the keys cannot be read again, the next decision finds the same key or none, and then the request fails.
        lane.perform({ [keys = issuer.keys] in try await keys.refresh() }) { [self] _ in decide() }
    }

    private func record(_ draft: Draft) {
        self.draft = draft
        record(draft.submission)
    }

    /// Returns the submission together with the answer, if the answer is to be kept under an idempotency key.
    func keeping(_ body: [UInt8], in submission: LedgerSubmission, at now: Instant) -> LedgerSubmission {
        guard let idempotency, !(idempotency.isForRecordedOnly && submission.isEmpty) else { return submission }
        return submission.keeping(
            IdempotencyRecord(
                caller: caller.id, key: idempotency.key, requestDigest: idempotency.requestDigest, answer: body, createdAt: now))
    }

    func conclude(_ result: Result<LedgerOutcome, any Error>) {
        if case .success(.keyRevoked(let id)) = result { return decide(without: id) }
        reply(Result { try conclude(try result.get()) })
    }

    private func conclude(_ outcome: LedgerOutcome) throws -> OfferIssuer.Issuance {
        switch outcome {
        case .recorded:
            guard let draft else { preconditionFailure("nothing was recorded") }
            if let entry = draft.submission.entry { issuer.observer.didSign(entry) }
            issuer.rules.exposures.note(draft.submission.exposures)
            draft.report.notify(issuer.observer)
            return OfferIssuer.Issuance(body: draft.body, isReplay: false)
        case .nonceReplayed(let nonce): throw IssueError.nonceReplayed(nonce)
        case .limited, .keyRevoked: preconditionFailure("it is decided once more")
        case .answeredBefore(let earlier): return OfferIssuer.Issuance(body: earlier, isReplay: true)
        case .idempotencyKeyReused: throw IssueError.idempotencyKeyReused
        case .callerRevoked: throw IssueError.callerRevoked
        }
    }

    /// Replies with an error.
    ///
    /// If the error is about a nonce that is not valid, it first finds out whether the nonce was used, because the caller must
    /// know that.
    private func settle(_ error: any Error) {
        switch error {
        case IssueError.nonceNotIssued(let nonce), IssueError.nonceExpired(let nonce):
            lane.perform({ [ledger = issuer.ledger] in try await ledger.entry(nonce: nonce) != nil }) { [reply] result in
                reply(result.flatMap { wasUsed in .failure(wasUsed ? IssueError.nonceReplayed(nonce) : error) })
            }
        default: reply(.failure(error))
        }
    }
}
