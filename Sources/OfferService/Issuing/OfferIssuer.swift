import EligibilityRules
import FoundationEssentials
import NIOCore
import OfferSigning
package import OfferStore

/// The use case: check, decide, sign, record, answer. Knows nothing of HTTP.
package final class OfferIssuer: Sendable {
    /// The `Idempotency-Key` of a request and the digest that tells it from another.
    package struct Idempotency: Sendable {
        package let key: String
        let requestDigest: [UInt8]
        /// Whether an answer is not kept that leaves nothing behind: the same question gets it again in any case.
        let isForRecordedOnly: Bool

        /// - Parameters:
        ///   - request: everything of the request that tells it from another.
        ///   - isForRecordedOnly: whether an answer is not kept that leaves nothing behind.
        package init(key: String, request: [UInt8], isForRecordedOnly: Bool = false) {
            self.key = key
            self.isForRecordedOnly = isForRecordedOnly
            requestDigest = Crypto.sha256(request)
        }
    }

    /// The bytes that answer a request, and whether they are those of an earlier one.
    package struct Issuance: Sendable {
        package let body: [UInt8]
        package let isReplay: Bool
    }

    /// How many limits may turn out to be used up before a request is given up: each offer of one may have several.
    private static let maxFindings = 80

    package typealias Reply = (Result<Issuance, any Error>) -> Void

    let keys: any OfferKeys
    package let nonces: NonceDesk
    package let clock: SigningClock
    package let ledger: any Ledger
    package let intake: HistoryIntake
    package let observer: any IssueObserver
    /// Asks the App Store about customers of long ago, behind the answer; nil: nobody does.
    let lapsed: LapsedRefresher?
    /// Nil: there are none.
    let campaigns: LiveCampaigns?
    let exposures: ExposureMemory
    /// Nil: nothing is limited.
    let limits: (any OfferLimiting)?

    package init(
        keys: any OfferKeys,
        nonces: NonceDesk,
        clock: SigningClock,
        ledger: any Ledger,
        intake: HistoryIntake,
        observer: any IssueObserver,
        lapsed: LapsedRefresher? = nil,
        campaigns: LiveCampaigns? = nil,
        exposures: ExposureMemory = ExposureMemory(),
        limits: (any OfferLimiting)? = nil
    ) {
        self.keys = keys
        self.nonces = nonces
        self.clock = clock
        self.ledger = ledger
        self.intake = intake
        self.observer = observer
        self.lapsed = lapsed
        self.campaigns = campaigns
        self.exposures = exposures
        self.limits = limits
    }

    /// Answers a request with one result an item, or fails as a whole.
    ///
    /// No signature leaves before its row is durable.
    ///
    /// - Parameters:
    ///   - address: where the request comes from; nil where nobody knows.
    ///   - render: turns what was issued into the answer's bytes, which are kept with an idempotency key.
    package func issue(
        _ request: SignatureRequest,
        of app: App,
        for caller: Caller,
        requestID: String,
        address: String?,
        idempotency: Idempotency?,
        lane: StoreLane,
        render: @escaping (IssuedOffers) -> [UInt8],
        reply: @escaping Reply
    ) {
        do {
            let request = try request.asked(by: caller)
            let offer = try check(request, of: app, for: caller)
            // The same ones to the end of the request.
            let live = request.asksCampaigns ? campaigns?.campaigns(of: app) ?? AppCampaigns.none : nil
            findHistories(
                request, of: app, isWhole: live?.needsWholeHistory(in: app) ?? false,
                from: Supplier(caller, requestID: requestID, address: address), lane: lane
            ) { [self] result in
                do {
                    let (request, histories) = try result.get()
                    let context = Context(
                        request: request, app: app, offer: offer, histories: histories, campaigns: live, caller: caller,
                        requestID: requestID,
                        address: address, idempotency: idempotency, lane: lane, render: render, reply: reply)
                    decide(context, [])
                } catch {
                    reply(.failure(error))
                }
            }
        } catch {
            reply(.failure(error))
        }
    }

    /// Decides, signs and records; once more if a limit turns out to be used up.
    private func decide(_ context: Context, _ findings: [LimitFinding]) {
        do {
            let plan = try plan(context, findings)
            guard !plan.inputs.isEmpty else { return record(try draft(of: plan, [], context), context, findings) }
            switch try plan.key.sign(plan.inputs) {
            case .done(let outputs): record(try draft(of: consume plan, outputs, context), context, findings)
            case .pending(let begin): wait(for: begin, plan, context, findings)
            }
        } catch let error as IssueError {
            settle(error, lane: context.lane, reply: context.reply)
        } catch {
            context.reply(.failure(error))
        }
    }

    /// Goes on, on the lane's loop, once a key that is elsewhere has signed. Meanwhile it may have been revoked.
    private func wait(
        for begin: (@escaping Signing.Completion) -> Void,
        _ plan: Plan,
        _ context: Context,
        _ findings: [LimitFinding]
    ) {
        let proceed = { [self] (result: Result<[SigningOutput], any Error>) in
            do {
                let outputs = try result.get()
                guard keys.isGood(plan.key.id, of: context.app) else {
                    throw IssueError.notReady("the key \(plan.key.id) has been withdrawn", of: .keys)
                }
                record(try draft(of: plan, outputs, context), context, findings)
            } catch {
                context.reply(.failure(error))
            }
        }
        let bound = NIOLoopBound(proceed, eventLoop: context.lane.eventLoop)
        begin { result in bound.eventLoop.execute { bound.value(result) } }
    }

    private func record(_ draft: Draft, _ context: Context, _ findings: [LimitFinding]) {
        let body = context.render(draft.issued)
        let submission = submission(draft, context, body)
        guard !submission.isEmpty || !submission.probes.isEmpty else {
            return context.reply(conclude(.recorded, draft: draft, body: body))
        }
        context.lane.record(submission) { [self] result in
            switch result {
            case .success(.limited(let found)) where findings.count < OfferIssuer.maxFindings:
                decide(context, findings + found)
            case .success(let outcome): context.reply(conclude(outcome, draft: draft, body: body))
            case .failure(let error): context.reply(.failure(error))
            }
        }
    }

    private func submission(_ draft: Draft, _ context: Context, _ body: [UInt8]) -> LedgerSubmission {
        func submission(_ idempotency: IdempotencyRecord?) -> LedgerSubmission {
            LedgerSubmission(
                draft.entry, refusals: draft.refusals, exposures: draft.exposures, reservations: draft.reservations,
                probes: draft.probes, idempotency: idempotency)
        }
        guard let idempotency = context.idempotency else { return submission(nil) }
        if idempotency.isForRecordedOnly, case let bare = submission(nil), bare.isEmpty { return bare }
        return submission(
            IdempotencyRecord(
                caller: context.caller.id,
                key: idempotency.key,
                requestDigest: idempotency.requestDigest,
                answer: body,
                createdAt: draft.now
            ))
    }

    private func conclude(_ outcome: LedgerOutcome, draft: Draft, body: [UInt8]) -> Result<Issuance, any Error> {
        switch outcome {
        case .recorded:
            if let entry = draft.entry { observer.didSign(entry) }
            exposures.note(draft.exposures)
            draft.report.notify(observer)
            return .success(Issuance(body: body, isReplay: false))
        case .nonceReplayed(let nonce): return .failure(IssueError.nonceReplayed(nonce))
        case .limited:
            return .failure(IssueError.notReady("too many limits were used up meanwhile", of: .load))
        case .answeredBefore(let earlier): return .success(Issuance(body: earlier, isReplay: true))
        case .idempotencyKeyReused: return .failure(IssueError.idempotencyKeyReused)
        }
    }

    /// A nonce that is not good any more may still be one that was used: that is what the caller needs to hear.
    private func settle(_ error: IssueError, lane: StoreLane, reply: @escaping Reply) {
        switch error {
        case .nonceNotIssued(let nonce), .nonceExpired(let nonce):
            lane.perform({ [ledger] in try await ledger.entry(nonce: nonce) != nil }) { result in
                reply(result.flatMap { wasUsed in .failure(wasUsed ? IssueError.nonceReplayed(nonce) : error) })
            }
        default: reply(.failure(error))
        }
    }
}
