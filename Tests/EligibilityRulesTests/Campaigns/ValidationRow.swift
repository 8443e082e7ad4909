import Testing

@testable import EligibilityRules

/// One change to a campaign without faults, and the finding it leads to.
struct ValidationRow: Sendable, CustomTestStringConvertible {
    let path: String
    let code: CampaignFinding.Code
    let severity: CampaignFinding.Severity
    /// Other findings that the same change leads to.
    let also: [CampaignFinding.Code]
    let remedy: String
    let change: @Sendable (inout Campaign) -> Void

    /// - Parameter remedy: a piece of the message.
    init(
        _ path: String,
        _ code: CampaignFinding.Code,
        as severity: CampaignFinding.Severity = .error,
        also: [CampaignFinding.Code] = [],
        _ remedy: String,
        _ change: @escaping @Sendable (inout Campaign) -> Void
    ) {
        self.path = path
        self.code = code
        self.severity = severity
        self.also = also
        self.remedy = remedy
        self.change = change
    }

    var testDescription: String { "\(code.rawValue) at \(path)" }

    static let now = Month.now

    static let catalogue = Catalogue(
        products: [
            product(
                "monthly",
                [
                    "half": nil, "third": nil, "shut": OfferLimits(perCustomer: 0), "lapsed": OfferLimits(notWhileActive: true),
                    "few": OfferLimits(total: 10),
                ]),
            product("yearly", ["big": nil], introductory: SubscriptionOffer(kind: .freeTrial, period: "P1W")),
            product("news", group: "other", Dictionary(uniqueKeysWithValues: (0..<12).map { ("n\($0)", nil) })),
        ], appAppleID: 7)

    private static func product(
        _ id: String, group: String = "main", _ offers: [String: OfferLimits?], introductory: SubscriptionOffer? = nil
    ) -> SubscriptionProduct {
        SubscriptionProduct(
            id: id, groupID: group, level: 1, period: "P1M", introductoryOffer: introductory,
            promotionalOffers: Dictionary(
                uniqueKeysWithValues: offers.map {
                    (ExactText($0.key), SubscriptionOffer(kind: .payAsYouGo, period: "P3M", limits: $0.value))
                }))
    }

    static let segments = Segments([
        Segment(id: "lapsed", name: "Lapsed", condition: state("expired")),
        Segment(id: "dead", name: "Dead", condition: .all([state("expired"), .not(state("expired"))])),
        Segment(id: "broken", name: "Broken", condition: .test(ConditionTest(.fact("mood", group: nil), .is, "good"))),
        Segment(id: "egg", name: "Egg", condition: .any([state("active"), .segment("hen")])),
        Segment(id: "hen", name: "Hen", condition: .segment("egg")),
    ])

    static func state(_ state: ConditionValue) -> Condition {
        .test(ConditionTest(.subscriptionState, group: "main", .is, state))
    }

    static func days(_ comparison: ConditionOperator, _ value: ConditionValue) -> Condition {
        .test(ConditionTest(.subscriptionDaysSinceLapse, group: "main", comparison, value))
    }

    static func attribute(_ name: String, _ comparison: ConditionOperator, _ value: ConditionValue) -> Condition {
        .test(ConditionTest(.attribute(name), comparison, value))
    }

    /// Without faults.
    static let campaign = Campaign(
        id: "spring-winback", name: "Spring", bundleID: "b", slot: CampaignSlot(placement: "paywall", exclusionGroup: "winback"),
        schedule: CampaignSchedule(from: now.advanced(by: -1), until: now.advanced(by: 1000)),
        audience: .all([.segment("lapsed"), days(.between, [7, 90]), attribute("country", .oneOf, ["US", "CA"])]),
        limits: CampaignLimits(perCustomer: 1, per: CalendarPeriod("P90D"), total: 10_000),
        design: CampaignDesign(
            enrolment: 5000, holdout: 500,
            variants: [
                CampaignVariant(id: "control", weight: 5000),
                CampaignVariant(id: "half", weight: 5000, offers: [offer("half")]),
            ], goal: CampaignGoal(expected: 0.1, detect: 0.02)))

    static func offer(_ id: String, of product: String = "monthly") -> CampaignVariant.Offer {
        CampaignVariant.Offer(productID: product, offerID: id)
    }

    /// Makes it a retention campaign with an offer and a text.
    static func showing(_ message: String) -> @Sendable (inout Campaign) -> Void {
        {
            $0.slot.placement = Campaign.retentionPlacement
            $0.design.variants[1] = CampaignVariant(id: "half", weight: 5000, offers: [offer("half")], message: message)
        }
    }

    static func trial(_ product: String = "yearly", _ isAllowed: Bool = true) -> CampaignVariant {
        CampaignVariant(
            id: "trial", weight: 5000,
            introductoryOffer: CampaignVariant.IntroductoryOffer(productID: product, isAllowed: isAllowed))
    }

    /// Makes it a test of a free trial, without limits and for all customers.
    static func trying(
        _ variant: CampaignVariant = trial(),
        _ change: @escaping @Sendable (inout Campaign) -> Void = { _ in }
    ) -> @Sendable (inout Campaign) -> Void {
        {
            ($0.limits, $0.audience) = (nil, nil)
            $0.design.variants[1] = variant
            change(&$0)
        }
    }

    static func linking(_ link: String, at placement: String? = "paywall") -> @Sendable (inout Campaign) -> Void {
        {
            $0.slot.placement = placement
            $0.design.variants[1] = CampaignVariant(id: "half", weight: 5000, link: link)
        }
    }

    static func giving(_ offers: CampaignVariant.Offer...) -> @Sendable (inout Campaign) -> Void {
        { $0.design.variants[1] = CampaignVariant(id: "half", weight: 5000, offers: offers) }
    }
}
