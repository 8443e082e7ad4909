import EligibilityRules

/// Builds one customer's subscription step by step, and tells it in words.
///
/// The first period has the id of the chain, a later one that id and its month: `o1`, `o1-2`.
struct Chain: Sendable {
    let id: String
    var story: [String] = []
    var isCut = false
    /// What the rules are given.
    var purchases: PurchaseChain

    init(_ id: String) {
        self.id = id
        purchases = PurchaseChain(originalID: id, environment: .production)
    }

    // MARK: Periods

    func trial(_ month: Int, _ product: String = "monthly") -> Chain {
        adding(month, product, RedeemedOffer(kind: .introductory)).told("trial \(month)", product)
    }

    func paidIntroduction(_ month: Int) -> Chain {
        adding(month, "monthly", RedeemedOffer(kind: .introductory)).told("paid introduction \(month)")
    }

    func period(_ month: Int, _ product: String = "monthly") -> Chain {
        adding(month, product).told("period \(month)", product)
    }

    func periods(_ months: ClosedRange<Int>) -> Chain {
        months.reduce(self) { $0.adding($1, "monthly") }.told("periods \(months.lowerBound)–\(months.upperBound)")
    }

    func year(_ month: Int) -> Chain { adding(month, "yearly", days: 360).told("year from \(month)", "yearly") }

    func redeemed(_ kind: RedeemedOffer.Kind, _ id: String, _ month: Int, _ product: String = "monthly") -> Chain {
        adding(month, product, RedeemedOffer(kind: kind, id: id)).told("\(kind.words) \(month)", product)
    }

    /// A change that takes effect at once, ten days into the month; the old period is shown as cancelled and upgraded.
    func upgraded(to product: String, in month: Int) -> Chain {
        upgradedUnseen(in: month).adding(month, product, from: 10).retold("upgrade in \(month)", product)
    }

    /// An upgrade of which only the replaced period is shown.
    func upgradedUnseen(in month: Int) -> Chain {
        changingLast {
            $0.isUpgraded = true
            let at = Month.start(month, day: 10)
            $0.cancellation = Stamped(at, Stamp(asOf: at, source: .receipt))
        }
        .told("upgrade in \(month), its period not shown")
    }

    func crossgraded(to product: String, in month: Int) -> Chain {
        adding(month, product, from: 10).told("crossgrade in \(month)", product)
    }
}

extension RedeemedOffer.Kind {
    fileprivate var words: String {
        switch self {
        case .introductory: "introductory offer"
        case .promotional: "promotional offer"
        case .offerCode: "offer code"
        case .winBack: "win-back offer"
        case .retention: "retention offer"
        case .unrecognised: "offer of an unknown type"
        }
    }
}
