import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore

extension SignatureTurn {
    /// The decisions about a request, and the texts that are to be signed for it.
    struct Plan {
        let now: Instant
        let key: any OfferKey
        /// `newDay` is the day on which the service issues the nonces that it makes for this request. `earlierDays` has the days
        /// on which it issued the nonces that came with the request.
        let newDay: Int64
        let earlierDays: [UUID: Int64]
        /// The decisions, one for each item.
        var steps: [Step] = []
        var inputs: [SigningInput] = []
        var reservations: [Reservation] = []
        /// The decision of the campaigns; nil until an item asks for it.
        var choice: CampaignChoice?
    }

    /// The decision about an item.
    struct Step {
        /// The item of the request. If a campaign has chosen an offer, the item names that offer.
        let item: SignatureRequest.Item
        let decision: SigningDecision
        /// The nonce; nil if nothing is signed.
        var nonce: UUID?
        /// The campaign that has chosen the offer, or decided about the introductory offer; nil if none has.
        var campaign: CampaignAssignment?
    }

    /// Decides about every item. If the request as a whole is wrong, it throws before anything is signed.
    func plan() throws -> Plan {
        guard let key = issuer.keys.activeKey(of: app) else {
            throw issuer.keys.noActiveKey(for: app.bundleID)
        }
        let now = try issuer.clock.stamp()
        var earlierDays: [UUID: Int64] = [:]
        for nonce in request.items.compactMap(\.nonce) {
            earlierDays[nonce] = try issuedDay(of: nonce, at: now)
        }
        var newNonces = try issuer.nonces.series(app: app, caller: caller, now: now)
        var plan = Plan(now: now, key: key, newDay: newNonces.issuedDay, earlierDays: earlierDays)
        plan.steps.reserveCapacity(request.items.count)
        plan.inputs.reserveCapacity(request.items.count)
        var decisions = SigningDecisions(of: self, at: now)
        let buyer = decisions.buyer()
        let withheld = request.occasion.billingPlan.map(app.promotionalOffers(notOn:)) ?? []
        for (index, item) in request.items.enumerated() {
            if item.purpose.isIntroductory, item.purpose.asksCampaigns, let campaigns {
                // All of these items are for the same customer.
                if plan.choice == nil { plan.choice = decisions.choice(ofItem: index, nil, campaigns, caller, findings) }
                let (decision, campaign) = decisions.introductory(onItem: index, plan.choice)
                var step = Step(item: item, decision: decision, campaign: campaign)
                if decision.isSigning {
                    let nonce = try newNonces.next()
                    plan.inputs.append(try input(item, decision, plan.key.id, nonce, plan.now))
                    step.nonce = nonce
                }
                plan.steps.append(step)
                continue
            }
            let decision = decisions.decision(onItem: index, buyer)
            guard decision.isSigning else {
                plan.steps.append(Step(item: item, decision: decision))
                continue
            }
            if !withheld.isEmpty, let offer = item.purpose.offer(of: item.productID), withheld.contains(offer) {
                // The App Store would refuse the offer to every customer.
                plan.steps.append(Step(item: item, decision: .refuse(Verdict(.noOffer, .otherBillingPlan))))
                continue
            }
            let nonce = try item.nonce ?? newNonces.next()
            if item.purpose == .campaignOffer, let campaigns {
                if plan.choice == nil { plan.choice = decisions.choice(ofItem: index, buyer, campaigns, caller, findings) }
                plan.steps.append(try campaignStep(item, decision, nonce, buyer, &plan))
            } else {
                plan.steps.append(try step(item, index == 0 ? self.offer : nil, decision, nonce, buyer, &plan))
            }
        }
        return plan
    }

    /// The step for an item whose offer the campaigns choose: the first of their offers that no limit forbids.
    private func campaignStep(
        _ item: SignatureRequest.Item,
        _ decision: SigningDecision,
        _ nonce: UUID,
        _ buyer: Customer?,
        _ plan: inout Plan
    ) throws -> Step {
        for offer in plan.offers(for: item) {
            // A reload may have removed the offer and its limits from the catalogue since the campaign was compiled.
            guard app.limitedOffers[LimitedOffer.Key(offer.offer.productID, offer.offer.offerID)] != nil else { continue }
            let before = plan.size
            var step = try step(item.choosing(offer.offer), nil, decision, nonce, buyer, &plan)
            // If a limit forbids this offer, the next one is tried.
            guard step.decision.unsigned == nil else { continue }
            if let nonce = step.nonce {
                guard !plan.choice!.isSpent(offer.assignment, after: plan.reservations) else {
                    plan.truncate(to: before)
                    continue
                }
                plan.reservations += plan.choice!.reservations(offer.assignment, nonce: nonce)
            }
            step.campaign = offer.assignment
            return step
        }
        return Step(item: item, decision: .noCampaignOffer(request.occasion))
    }

    /// The step for an item whose offer is known and may be signed for the customer, unless a limit forbids it.
    ///
    /// - Parameter offer: the offer of the item; nil if it was not looked up yet.
    private func step(
        _ item: SignatureRequest.Item,
        _ offer: LimitedOffer?,
        _ decision: SigningDecision,
        _ nonce: UUID,
        _ buyer: Customer?,
        _ plan: inout Plan
    ) throws -> Step {
        var decision = decision
        if let limits = issuer.rules.limits, limits.concern(app),
            case .promotionalOffer(let offerID) = item.purpose,
            let offer = offer ?? app.limitedOffer(item.productID, offerID)
        {
            let share = limits.share(
                of: offer, with: nonce, for: request.customer, app, at: plan.now, customer: buyer)
            decision = try self.decision(item, share, else: decision, &plan)
            guard decision.isSigning else { return Step(item: item, decision: decision) }
        }
        plan.inputs.append(try input(item, decision, plan.key.id, nonce, plan.now))
        return Step(item: item, decision: decision, nonce: nonce)
    }

    /// Decides whether limits allow an item that is to be signed.
    private func decision(
        _ item: SignatureRequest.Item,
        _ share: OfferShare,
        else decision: SigningDecision,
        _ plan: inout Plan
    ) throws -> SigningDecision {
        guard case .taken(let wanted) = share else {
            if case .refused(let verdict) = share { return .refuse(verdict) }
            return decision
        }
        var usedUp: LimitEvidence?
        for finding in findings where wanted.contains(where: { $0.limit == finding.limit }) {
            guard case .usedUp(let evidence) = finding.reason else { continue }
            // The limit has room for some items. It is used up for this one if the items before it take all of that room.
            if finding.room <= plan.reservations.count(where: { $0.limit == finding.limit }) { usedUp = usedUp ?? evidence }
        }
        if let usedUp { return .refuse(Verdict(.ineligible, .offerLimitReached, limit: usedUp)) }
        if plan.reservations.isEmpty { plan.reservations = wanted } else { plan.reservations += wanted }
        return decision
    }

    private func issuedDay(of nonce: UUID, at now: Instant) throws(IssueError) -> Int64 {
        switch issuer.nonces.check(nonce, app: app, caller: caller, now: now) {
        case .genuine(let issuedDay): return issuedDay
        case .expired: throw .nonceExpired(nonce)
        case .notIssued: throw .nonceNotIssued(nonce)
        }
    }

    private func input(
        _ item: SignatureRequest.Item,
        _ decision: SigningDecision,
        _ keyID: String,
        _ nonce: UUID,
        _ now: Instant
    ) throws -> SigningInput {
        guard request.form == .payload, case .promotionalOffer(let offerID) = item.purpose else {
            return .claims(try claims(for: item, as: decision, nonce: nonce, now: now))
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
        as decision: SigningDecision,
        nonce: UUID,
        now: Instant
    ) throws(AppError) -> JWSClaims {
        guard let issuerID = app.credentials.issuerID else { throw .issuerIDMissing(app.bundleID) }
        let purpose: JWSClaims.Purpose =
            switch item.purpose {
            case .promotionalOffer(let offerID):
                .promotionalOffer(productID: item.productID, offerID: offerID, transactionID: request.transactionID)
            case .campaignOffer: preconditionFailure("an offer is chosen before it is signed")
            case .introductoryOffer(let transactionID, _):
                .introductoryOfferEligibility(
                    productID: item.productID, allowed: decision == .signOverride(allowed: true),
                    transactionID: transactionID)
            }
        return JWSClaims(
            purpose: purpose, issuerID: issuerID, bundleID: app.bundleID, nonce: nonce, timestamp: now.milliseconds)
    }
}

extension SignatureTurn.Plan {
    /// The day on which the service issued a nonce of the plan.
    func issuedDay(of nonce: UUID) -> Int64 { earlierDays[nonce] ?? newDay }

    /// How many inputs and reservations the plan has so far.
    fileprivate var size: (inputs: Int, reservations: Int) { (inputs.count, reservations.count) }

    /// Removes the inputs and reservations that were added since the plan had this size.
    fileprivate mutating func truncate(to size: (inputs: Int, reservations: Int)) {
        inputs.removeLast(inputs.count - size.inputs)
        reservations.removeLast(reservations.count - size.reservations)
    }

    /// The offers of campaigns that fit an item, without those that an earlier item of the request has received.
    fileprivate func offers(for item: SignatureRequest.Item) -> [CampaignOffer] {
        let given = steps.lazy.filter { $0.campaign != nil }.map(\.item)
        return (choice?.decision.offers ?? []).filter { offer in
            hasRoom(for: offer) && (item.productID.isEmpty || ExactText(item.productID) == ExactText(offer.offer.productID))
                && !given.contains { $0.isOf(offer.offer) }
        }
    }

    /// Whether the limits of the campaign allow one more of its offers in this request.
    private func hasRoom(for offer: CampaignOffer) -> Bool {
        guard let max = offer.limits?.perCustomer else { return true }
        return steps.count { $0.campaign == offer.assignment && $0.nonce != nil } < max
    }
}

extension SigningDecision {
    /// The decision if no campaign gives an offer.
    ///
    /// For Retention Messaging this is no refusal, because the App Store only asks what to show.
    fileprivate static func noCampaignOffer(_ occasion: OfferOccasion) -> SigningDecision {
        let verdict = Verdict(.noOffer, .noCampaignOffer)
        return occasion.isRetention ? .notNeeded(verdict) : .refuse(verdict)
    }
}

extension SignatureRequest.Item {
    fileprivate func isOf(_ offer: CampaignVariant.Offer) -> Bool {
        purpose.offer(of: productID) == offer
    }
}
