import EligibilityRules
import OfferService

/// The outcome of a trial, for its template.
struct TrialView {
    let answer: CampaignTrial.Answer
    let visit: CampaignVisit

    private var customer: TriedCustomer { answer.customer }
    private var decision: CampaignDecision { answer.evaluation.decision }
    private var offers: OfferWords { OfferWords(catalogue: visit.app.catalogue) }

    /// The values for the template.
    var values: [String: Any] {
        let all = answer.evaluation.campaigns
        var values: [String: Any] = [
            "asOf": visit.time.at(customer.facts.asOf), "notice": notice, "hasSubscriptions": customer.trace != .nothing,
            "history": history, "subscriptions": customer.facts.subscriptions.map(subscription), "facts": facts,
            "verdicts": verdicts, "count": ConsoleTime.count(all.count, "campaign"),
            "campaigns": all.enumerated().map { ExplanationView(explanation: $1, number: $0 + 1, visit: visit).values },
            "paused": answer.paused.map { ["name": $0] }, "isNone": all.isEmpty && answer.paused.isEmpty,
            "campaignsPath": visit.path,
        ]
        values.merge(verdict) { $1 }
        return values
    }

    private var verdict: [String: Any] {
        func said(_ tone: String, _ badge: String, _ sentence: String, _ because: String) -> [String: Any] {
            ["tone": tone, "badge": badge, "sentence": sentence, "because": because]
        }
        let name = customer.customerID ?? customer.name
        if let first = decision.offers.first {
            let words = decision.offers.map { offers.text($0.offer) }.joined(separator: "; ")
            let others = decision.offers.count > 1 ? " and \(ConsoleTime.count(decision.offers.count - 1, "other offer"))" : ""
            let isAllowed = verdict(of: first.offer)?.status != .ineligible
            return said(
                isAllowed ? "good" : "warn", isAllowed ? "Gets an offer" : "Apple allows no offer",
                "Customer \(name) gets \(offers.text(first.offer))\(others).",
                "Because of \(Self.name(first.assignment)), variant \(first.assignment.variant)."
                    + (decision.offers.count > 1 ? " All of them: \(words)." : ""))
        }
        guard let first = decision.assignments.first else {
            return said("idle", "Gets no offer", "No campaign takes customer \(name).", "Below is why each was passed over.")
        }
        if case .heldOut = first.allocation {
            return said(
                "idle", "Gets no offer, on purpose", "Customer \(name) is held out of \(Self.name(first)).",
                "Customers who are held out never get it, and show its long-term effect.")
        }
        return said(
            "idle", "Gets no offer, on purpose", "Customer \(name) is in the control group of \(Self.name(first)).",
            "That is how we see what happens without an offer.")
    }

    private static func name(_ assignment: CampaignAssignment) -> String { "“\(assignment.revision.campaign.name)”" }

    private func verdict(of offer: CampaignVariant.Offer) -> Verdict? {
        customer.assessment.products.first { $0.product.id == offer.productID }?.promotionalOffers
    }

    private var notice: Any {
        switch customer.trace {
        case .nothing:
            [
                "tone": "info", "heading": "No purchases are stored for \(customer.name)",
                "text":
                    "Either the customer never bought anything, or your server has not sent the history. Tried as a new customer. Check the id: capital letters count.",
            ] as [String: Any]
        case .purchase where customer.identity.customerID == nil:
            [
                "tone": "info", "heading": "\(customer.name) leads to purchases, but is not a customer’s own id",
                "text":
                    "Campaigns that assign variants by your own id pass this customer over. Give your own id to see what they do.",
            ] as [String: Any]
        default:
            customer.facts.completeness == .complete
                ? false
                : [
                    "tone": "warn", "heading": "The history of \(customer.customerID ?? customer.name) may have gaps",
                    "text": "What is not known is never guessed: a condition on it does not match.",
                ] as [String: Any] as Any
        }
    }

    private var history: String {
        let known = customer.facts.completeness == .complete ? "history complete" : "history may have gaps"
        return customer.facts.historyUpdatedAt.map { "\(known), updated \(visit.time.plain($0)) UTC" } ?? known
    }

    private func subscription(_ facts: SubscriptionFacts) -> [String: Any] {
        let status = facts.status
        var rows: [(String, String)] = [("State", Self.escaped(status.state.rawValue))]
        if let since = facts.since { rows.append(("Since", visit.time.at(since))) }
        if let days = facts.daysSinceLapse { rows.append(("Days since lapse", "\(days)")) }
        if let until = facts.until { rows.append(("Until", visit.time.at(until))) }
        rows.append(("Paid periods", "\(facts.paidPeriods)"))
        rows.append(("Introductory offer used", Self.word(facts.introductoryOfferUsed)))
        return ["title": "Subscription group \(facts.groupID ?? "not known")", "facts": Self.rows(rows)]
    }

    private var facts: [[String: Any]] {
        let facts = customer.facts
        let redeemed = facts.redemptions.compactMap(\.offer.id)
        var rows: [(String, String)] = [
            ("Purchases", "\(facts.purchases)"), ("Refunds", "\(facts.refunds.count)"),
            ("Offers redeemed", redeemed.isEmpty ? "none" : Self.escaped(redeemed.joined(separator: ", "))),
            ("Environment", Self.escaped(facts.environment.name)),
        ]
        if let first = facts.firstPurchaseAt { rows.append(("First purchase", visit.time.at(first))) }
        return Self.rows(rows)
    }

    private var verdicts: [[String: Any]] {
        customer.assessment.products.flatMap { product -> [[String: Any]] in
            let kinds =
                (product.product.introductoryOffer == nil ? [] : [("Introductory offer", product.introductoryOffer)])
                + (product.product.promotionalOffers.isEmpty ? [] : [("Promotional offers", product.promotionalOffers)])
            return kinds.map { kind, verdict in
                [
                    "product": product.product.id, "kind": kind, "tone": Self.tone(verdict.status),
                    "word": Self.word(verdict.status),
                    "why": "\(verdict.reason.message)".firstUppercased, "code": verdict.reason.code,
                ]
            }
        }
    }

    private static func tone(_ status: EligibilityStatus) -> String {
        switch status {
        case .eligible: "good"
        case .ineligible: "bad"
        default: "idle"
        }
    }

    private static func word(_ status: EligibilityStatus) -> String {
        switch status {
        case .eligible: "Yes"
        case .ineligible: "No"
        default: "Unknown"
        }
    }

    private static func word(_ flag: Bool?) -> String { flag.map { $0 ? "yes" : "no" } ?? "not known" }

    private static func rows(_ rows: [(String, String)]) -> [[String: Any]] { rows.map { ["name": $0.0, "value": $0.1] } }

    private static func escaped(_ text: String) -> String { ByteEscaping().escapeText(text) }
}
