import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore

extension OfferIssuer {
    /// One request on its way, with all that is known before anything is decided.
    struct Context {
        let request: SignatureRequest
        let app: App
        let histories: RequestHistories
        let caller: Caller
        let requestID: String
        let address: String?
        let idempotency: Idempotency?
        let lane: StoreLane
        let render: (IssuedOffers) -> [UInt8]
        let reply: Reply
    }

    /// What is decided about a request, and what is to be signed for it.
    struct Plan {
        let now: Instant
        let key: any OfferKey
        /// One an item, with the nonce where it is to be signed.
        var steps: [(decision: OfferDecision, nonce: UUID?)] = []
        var inputs: [SigningInput] = []
        var reservations: [Reservation] = []
    }

    /// Decides about every item. Throws before anything is signed if something is wrong with the request as a whole.
    ///
    /// - Parameter findings: what was found of limits so far.
    func plan(_ context: Context, _ findings: [LimitFinding]) throws -> Plan {
        let (request, app) = (context.request, context.app)
        guard let key = keys.activeKey(of: app) else {
            throw IssueError.notReady("the app \(app.bundleID) has no active key", of: .keys)
        }
        let now = try clock.stamp()
        for nonce in request.items.compactMap(\.nonce) {
            try checkOrigin(of: nonce, app: app, caller: context.caller, now: now)
        }
        var plan = Plan(now: now, key: key)
        plan.steps.reserveCapacity(request.items.count)
        plan.inputs.reserveCapacity(request.items.count)
        var newNonces = try nonces.series(app: app, caller: context.caller, now: now)
        var decisions = OfferDecisions(request: request, app: app, histories: context.histories, now: now, lapsed: lapsed)
        let buyer = decisions.buyer()
        for (index, item) in request.items.enumerated() {
            var decision = decisions.decision(onItem: index, buyer)
            guard decision.isSigning else {
                plan.steps.append((decision, nil))
                continue
            }
            let nonce = try item.nonce ?? newNonces.next()
            if let limits, case .promotionalOffer = item.purpose {
                let share = limits.share(of: item, with: nonce, request, app, at: now, customer: buyer)
                decision = self.decision(share, else: decision, findings, app, &plan)
                guard decision.isSigning else {
                    plan.steps.append((decision, nil))
                    continue
                }
            }
            plan.steps.append((decision, nonce))
            plan.inputs.append(try input(item, decision, request, app, key.id, nonce, now))
        }
        return plan
    }

    /// What limits make of a decision to sign.
    private func decision(
        _ share: OfferShare,
        else decision: OfferDecision,
        _ findings: [LimitFinding],
        _ app: App,
        _ plan: inout Plan
    ) -> OfferDecision {
        guard case .taken(let wanted) = share else {
            if case .refused(let verdict) = share { return .refuse(verdict) }
            return decision
        }
        var usedUp: LimitEvidence?
        for finding in findings where wanted.contains(where: { $0.limit == finding.limit }) {
            switch finding.reason {
            case .kept(let bytes):
                guard let kept = KeptSignature(bytes), keys.isGood(kept.keyID, of: app) else { continue }
                return .again(kept)
            case .usedUp(let evidence): usedUp = usedUp ?? evidence
            }
        }
        if let usedUp { return .refuse(Verdict(.ineligible, .offerLimitReached, limit: usedUp)) }
        if plan.reservations.isEmpty { plan.reservations = wanted } else { plan.reservations += wanted }
        return decision
    }

    private func checkOrigin(of nonce: UUID, app: App, caller: Caller, now: Instant) throws(IssueError) {
        switch nonces.check(nonce, app: app, caller: caller, now: now) {
        case .genuine: return
        case .expired: throw .nonceExpired(nonce)
        case .notIssued: throw .nonceNotIssued(nonce)
        }
    }

    private func input(
        _ item: SignatureRequest.Item,
        _ decision: OfferDecision,
        _ request: SignatureRequest,
        _ app: App,
        _ keyID: String,
        _ nonce: UUID,
        _ now: Instant
    ) throws -> SigningInput {
        guard request.form == .payload, case .promotionalOffer(let offerID) = item.purpose else {
            return .claims(try claims(for: item, as: decision, of: request, app: app, nonce: nonce, now: now))
        }
        return .payload(
            try OfferPayload(
                bundleID: app.bundleID,
                keyID: keyID,
                productID: item.productID,
                offerID: offerID,
                applicationUsername: request.applicationUsername,
                nonce: nonce,
                timestamp: now.milliseconds
            ))
    }

    private func claims(
        for item: SignatureRequest.Item,
        as decision: OfferDecision,
        of request: SignatureRequest,
        app: App,
        nonce: UUID,
        now: Instant
    ) throws(AppError) -> JWSClaims {
        guard let issuerID = app.issuerID else { throw .issuerIDMissing(app.bundleID) }
        let purpose: JWSClaims.Purpose =
            switch item.purpose {
            case .promotionalOffer(let offerID):
                .promotionalOffer(productID: item.productID, offerID: offerID, transactionID: request.transactionID)
            case .introductoryOffer(let transactionID, _):
                .introductoryOfferEligibility(
                    productID: item.productID, allowed: decision == .signOverride(allowed: true),
                    transactionID: transactionID)
            }
        return JWSClaims(
            purpose: purpose, issuerID: issuerID, bundleID: app.bundleID, nonce: nonce, timestamp: now.milliseconds)
    }
}
