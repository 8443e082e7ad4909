import EligibilityRules
import OfferService

/// What the service knows about a customer, and which kinds of offer Apple's rules allow the customer.
struct TrialCustomerView: TemplateView {
    /// A fact with its name.
    struct Fact: TemplateView {
        let name: String
        let value: RichText

        init(_ name: String, _ value: RichText) {
            self.name = name
            self.value = value
        }
    }

    /// The facts about one subscription group.
    struct Subscription: TemplateView {
        let title: String
        let facts: [Fact]
    }

    /// Whether Apple's rules allow the customer one kind of offer on a product.
    struct Permission: TemplateView {
        let product: String
        let kind: String
        let tone: String
        let word: String
        let why: String
        let code: String

        init(_ product: String, _ kind: String, _ verdict: Verdict) {
            self.product = product
            self.kind = kind
            (tone, word) =
                switch verdict.status {
                case .eligible: ("good", "Yes")
                case .ineligible: ("bad", "No")
                default: ("idle", "Unknown")
                }
            why = "\(verdict.reason.message)".firstUppercased
            code = verdict.reason.code
        }
    }

    /// A sentence about how complete and how current the purchase history is.
    let history: String
    let subscriptions: [Subscription]
    let facts: [Fact]
    let verdicts: [Permission]

    init(_ customer: TriedCustomer, _ time: ConsoleTime) {
        let facts = customer.facts
        let known = facts.completeness == .complete ? "history complete" : "history may have gaps"
        history = facts.historyUpdatedAt.map { "\(known), updated \(time.plain($0)) UTC" } ?? known
        subscriptions = facts.subscriptions.map { Self.subscription($0, time) }
        self.facts = Self.facts(facts, time)
        verdicts = customer.assessment.products.flatMap(Self.permissions)
    }

    private static func subscription(_ facts: SubscriptionFacts, _ time: ConsoleTime) -> Subscription {
        var rows = [Fact("State", RichText(facts.status.state.rawValue))]
        if let since = facts.since { rows.append(Fact("Since", time.at(since))) }
        if let days = facts.daysSinceLapse { rows.append(Fact("Days since lapse", "\(days)")) }
        if let until = facts.until { rows.append(Fact("Until", time.at(until))) }
        rows.append(Fact("Paid periods", "\(facts.paidPeriods)"))
        let isUsed = facts.introductoryOfferUsed.map { $0 ? "yes" : "no" } ?? "not known"
        rows.append(Fact("Introductory offer used", RichText(isUsed)))
        return Subscription(title: "Subscription group \(facts.groupID ?? "not known")", facts: rows)
    }

    private static func facts(_ facts: CustomerFacts, _ time: ConsoleTime) -> [Fact] {
        let redeemed = facts.redemptions.compactMap(\.offer.id)
        let rows = [
            Fact("Purchases", "\(facts.purchases)"), Fact("Refunds", "\(facts.refunds.count)"),
            Fact("Offers redeemed", redeemed.isEmpty ? "none" : RichText(redeemed.joined(separator: ", "))),
            Fact("Environment", RichText(facts.environment.name)),
        ]
        return rows + (facts.firstPurchaseAt.map { [Fact("First purchase", time.at($0))] } ?? [])
    }

    private static func permissions(_ assessed: ProductAssessment) -> [Permission] {
        let product = assessed.product
        let introductory =
            product.introductoryOffer == nil
            ? [] : [Permission(product.id, "Introductory offer", assessed.introductoryOffer)]
        let promotional =
            product.promotionalOffers.isEmpty
            ? [] : [Permission(product.id, "Promotional offers", assessed.promotionalOffers)]
        return introductory + promotional
    }
}
