import EligibilityRules
import Testing

/// One row of the decision table: a customer, a question, and the answers.
struct DecisionRow: Sendable, CustomTestStringConvertible {
    let name: String
    let chains: [Chain]
    /// What other customers of the app bought with the same Apple account.
    let others: [Chain]
    let completeness: Completeness
    let seenGroups: SeenGroups
    let policy: EligibilityPolicy
    let product: String
    let offer: String
    let state: SubscriptionState
    /// The product of the deciding period; nil where there is none.
    let subscribed: String?
    let introductory: Verdict
    let promotional: Verdict
    let winBackOffers: [String]

    init(
        _ name: String,
        _ chains: [Chain],
        others: [Chain] = [],
        completeness: Completeness = .partial,
        seenGroups: SeenGroups = .none,
        policy: EligibilityPolicy = EligibilityPolicy(),
        product: String = "monthly",
        offer: String = "half",
        _ state: SubscriptionState,
        of subscribed: String? = nil,
        introductory: Verdict,
        promotional: Verdict,
        winBackOffers: [String] = []
    ) {
        self.name = name
        self.chains = chains
        self.others = others
        self.completeness = completeness
        self.seenGroups = seenGroups
        self.policy = policy
        self.product = product
        self.offer = offer
        self.state = state
        self.subscribed = subscribed
        self.introductory = introductory
        self.promotional = promotional
        self.winBackOffers = winBackOffers
    }

    var testDescription: String { name }

    /// What the rules are given.
    var customer: Customer {
        Customer(
            history: PurchaseHistory(chains.map(\.purchases)),
            accountChains: others.map(\.purchases),
            completeness: completeness,
            catalogue: Shop.catalogue,
            seenGroups: seenGroups,
            policy: policy,
            now: Month.now
        )
    }
}

extension Verdict {
    static func eligible(_ reasons: Reason..., by transactionID: String? = nil) -> Verdict {
        Verdict(.eligible, reasons[0], notes: Array(reasons.dropFirst()), transactionID: transactionID)
    }

    static func ineligible(_ reasons: Reason..., by transactionID: String? = nil) -> Verdict {
        Verdict(.ineligible, reasons[0], notes: Array(reasons.dropFirst()), transactionID: transactionID)
    }

    static func unknown(_ reasons: Reason..., by transactionID: String? = nil) -> Verdict {
        Verdict(.unknown, reasons[0], notes: Array(reasons.dropFirst()), transactionID: transactionID)
    }
}
