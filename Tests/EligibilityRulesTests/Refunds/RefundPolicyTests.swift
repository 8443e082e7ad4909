import EligibilityRules
import Testing

@Suite("Refund policies")
struct RefundPolicyTests {
    private static let hour: Int64 = 3_600_000
    private static let bought = Instant(milliseconds: 1_700_000_000_000)

    /// A purchase of a period of 1,000 hours, asked about after some of them.
    private func purchase(
        _ product: String = "pro",
        kind: ProductKind? = .autoRenewableSubscription,
        after hours: Int64,
        hasPeriod: Bool = true,
        offers: Int = 0
    ) -> RefundCase {
        let stamp = Stamp(asOf: Self.bought, source: .signedData)
        let transaction = PurchaseTransaction(
            id: "1", productID: product, purchasedAt: Self.bought, kind: kind,
            state: .init(expiry: hasPeriod ? Stamped(Self.bought.advanced(by: 1000 * Self.hour), stamp) : nil))
        return RefundCase(
            transaction, offersRedeemed: offers, requestedAt: Self.bought.advanced(by: hours * Self.hour))
    }

    private static func policy(_ name: String, _ conditions: RefundConditions) -> RefundPolicy {
        RefundPolicy(name: name, conditions: conditions, answer: RefundAnswer(preference: .decline))
    }

    /// One policy for each kind of condition, and some for pairs; the last one is for the rest.
    private static let policies = [
        policy("abuser", RefundConditions(offersRedeemedAtLeast: 3)),
        policy(
            "early", RefundConditions(products: [ExactText("pro"), ExactText("max")], purchasedWithin: CalendarPeriod("P2D"))),
        policy("hardly used", RefundConditions(consumedBelow: 10)),
        policy("max, used up", RefundConditions(products: [ExactText("max")], consumedAtLeast: 90)),
        policy("middle, with offers", RefundConditions(consumedBelow: 50, consumedAtLeast: 40, offersRedeemedAtLeast: 1)),
        policy("month", RefundConditions(products: [ExactText("pro")], purchasedWithin: CalendarPeriod("P30D"))),
        policy("rest", RefundConditions()),
    ]

    @Test("Every combination of product, age, consumed share and offers meets the policy that a table says")
    func combinations() {
        // Hours after the purchase, by the column of the table below that they belong to.
        let columns: [[Int64]] = [
            [0, 1, 47, 48], [49, 99], [100, 399], [400, 499], [500, 720], [721, 899], [900, 999, 1000, 2000],
        ]
        // What a purchase with a period meets: a row for each product and 0, 1 or 2 offers; 3 and more are abuse everywhere.
        let table: [String: [[String]]] = [
            "pro": [
                ["early", "hardly used", "month", "month", "month", "rest", "rest"],
                ["early", "hardly used", "month", "middle, with offers", "month", "rest", "rest"],
                ["early", "hardly used", "month", "middle, with offers", "month", "rest", "rest"],
            ],
            "max": [
                ["early", "hardly used", "rest", "rest", "rest", "rest", "max, used up"],
                ["early", "hardly used", "rest", "middle, with offers", "rest", "rest", "max, used up"],
                ["early", "hardly used", "rest", "middle, with offers", "rest", "rest", "max, used up"],
            ],
            "coins": [
                ["hardly used", "hardly used", "rest", "rest", "rest", "rest", "rest"],
                ["hardly used", "hardly used", "rest", "middle, with offers", "rest", "rest", "rest"],
                ["hardly used", "hardly used", "rest", "middle, with offers", "rest", "rest", "rest"],
            ],
        ]
        // Without a period no share is known, and no condition on it holds.
        let withoutPeriod: [String: [String]] = [
            "pro": ["early", "month", "month", "month", "month", "rest", "rest"],
            "max": ["early", "rest", "rest", "rest", "rest", "rest", "rest"],
            "coins": ["rest", "rest", "rest", "rest", "rest", "rest", "rest"],
        ]
        var seen: Set<String> = []
        for (product, rows) in table {
            for (column, hours) in columns.enumerated() {
                for hours in hours {
                    for offers in 0...4 {
                        for hasPeriod in [true, false] {
                            let expected =
                                offers >= 3
                                ? "abuser" : hasPeriod ? rows[offers][column] : withoutPeriod[product]![column]
                            let found = Self.policies.decide(
                                purchase(product, after: hours, hasPeriod: hasPeriod, offers: offers))
                            #expect(
                                found.policy?.name == expected,
                                "\(product) after \(hours) h, \(offers) offers, \(hasPeriod ? "" : "no ")period")
                            seen.insert(expected)
                        }
                    }
                }
            }
        }
        #expect(seen.count == Self.policies.count)
    }

    @Test("A share is counted by the period, in thousandths of a percent, and never beyond it")
    func share() {
        let shares: [(Int64, Int)] = [(-5, 0), (0, 0), (1, 100), (123, 12_300), (1000, 100_000), (5000, 100_000)]
        for (hours, share) in shares { #expect(purchase(after: hours).consumedShare == share) }
        #expect(purchase(after: 1, hasPeriod: false).consumedShare == nil)
        let third = PurchaseTransaction(
            id: "1", productID: "pro", purchasedAt: Self.bought,
            state: .init(expiry: Stamped(Self.bought.advanced(by: 3), Stamp(asOf: Self.bought, source: .signedData))))
        #expect(RefundCase(third, offersRedeemed: 0, requestedAt: Self.bought.advanced(by: 2)).consumedShare == 66_666)
    }

    @Test("Without a policy that applies the answer has only what Apple requires")
    func none() {
        for policies in [[], [Self.policies[0]]] {
            let (policy, answer) = policies.decide(purchase(after: 500))
            #expect(policy == nil && answer == RefundAnswer())
        }
    }

    /// Apple's rules as its pages have them: what makes a request fail.
    private func fault(_ answer: RefundAnswer, _ kind: ProductKind?) -> String? {
        let isRenewable = kind == .autoRenewableSubscription
        if let share = answer.consumptionPercentage {
            if isRenewable { return "ConsumptionPercentageAutoRenewableSubscriptionError" }
            if !(0...100_000).contains(share) { return "ConsumptionPercentageOutOfRangeError" }
            if answer.deliveryStatus != .delivered && share != 0 { return "UndeliveredConsumptionPercentageNonZeroError" }
        }
        guard answer.preference == .grantProrated, !isRenewable else { return nil }
        return (1..<100_000).contains(answer.consumptionPercentage ?? 0) ? nil : "a share above 0 and below the whole is needed"
    }

    @Test("No answer is one that Apple refuses, whatever a policy says and whatever the product is")
    func accepted() {
        let kinds = ProductKind.allCases.map(Optional.some) + [nil]
        for preference in RefundPreference.allCases.map(Optional.some) + [nil] {
            for status in DeliveryStatus.allCases {
                for share in [nil, 0, 1, 40_000, 99_999, 100_000] {
                    let answer = RefundAnswer(
                        preference: preference, deliveryStatus: status, sampleContentProvided: true,
                        consumptionPercentage: share)
                    for kind in kinds {
                        let fitted = answer.fitted(to: kind)
                        #expect(fault(fitted, kind) == nil, "\(answer) for \(kind as Any)")
                        // A kind that is not known may be any.
                        if kind == nil || kind == .unrecognised {
                            #expect(ProductKind.allCases.allSatisfy { fault(fitted, $0) == nil })
                        }
                        #expect(fitted.deliveryStatus == status && fitted.sampleContentProvided)
                        // Nothing else is changed.
                        if fault(answer, kind) == nil, status == .delivered, kind != nil, kind != .unrecognised {
                            #expect(fitted == answer)
                        }
                        if preference != .grantProrated { #expect(fitted.preference == preference) }
                    }
                }
            }
        }
    }
}
