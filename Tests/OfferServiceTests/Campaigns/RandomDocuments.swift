import EligibilityRules
import OfferService
import TestRandomness

/// Documents in which every field has every kind of value, sense or not.
enum RandomDocuments {
    private static let texts = [
        "winter", "20563228", "1.0", "true", "null", "", "é", "e\u{301}", "日本 🎁", "\"\\/\n\u{1}", "- a: #b", "𝄞\u{2028}",
    ]
    private static let numbers: [Double] = [
        0, 1, -1, 2.5, 0.1, 1e-7, 1e15, 9_007_199_254_740_992, 1e20, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.25,
    ]
    private static let periods = ["P1D", "P2W", "P3M", "P9999Y"].map { CalendarPeriod($0)! }
    private static let instants = [
        0, 1, -1, 253_402_300_799_999, -62_135_596_800_000, 1_772_323_200_000, -999, 1_772_323_200_250,
    ].map(
        Instant.init(milliseconds:))

    static func document(seed: UInt64) -> CampaignDocument {
        var source = RandomConditions(seed: seed)
        let campaigns = (0..<source.random.below(4)).map { _ in campaign(&source) }
        let segments = (0..<source.random.below(3)).map { _ in
            segment(&source)
        }
        return CampaignDocument(campaigns: campaigns, segments: segments)
    }

    static func campaign(_ source: inout RandomConditions) -> Campaign {
        var campaign = Campaign(
            id: text(&source), name: text(&source), bundleID: text(&source),
            slot: CampaignSlot(
                placement: source.random.once(in: 2) ? nil : text(&source),
                priority: source.random.any(of: [0, 1, -5, .max, .min]),
                exclusionGroup: source.random.once(in: 2) ? nil : text(&source)),
            schedule: CampaignSchedule(from: instant(&source), until: instant(&source)),
            audience: source.random.once(in: 3) ? nil : condition(&source),
            limits: source.random.once(in: 2) ? nil : limits(&source),
            design: CampaignDesign(
                unit: source.random.any(of: BucketingUnit.allCases),
                enrolment: source.random.any(of: [0, 5000, 10_000, -1, 20_000]),
                holdout: source.random.any(of: [0, 500, 10_000]),
                variants: (0..<source.random.below(4)).map { _ in variant(&source) }, goal: goal(&source),
                analysis: source.random.any(of: [.sequential, .fixed(sampleSize: 8000), .fixed(sampleSize: -1)])))
        campaign.hypothesis = source.random.once(in: 2) ? nil : text(&source)
        campaign.tags = (0..<source.random.below(3)).map { _ in text(&source) }
        campaign.segments = (0..<source.random.below(2)).map { _ in segment(&source) }
        return campaign
    }

    private static func segment(_ source: inout RandomConditions) -> Segment {
        Segment(
            id: text(&source), name: text(&source), condition: condition(&source), version: source.random.any(of: [nil, 0, 7]))
    }

    private static func text(_ source: inout RandomConditions) -> String { source.random.any(of: texts) }

    private static func instant(_ source: inout RandomConditions) -> Instant? {
        source.random.once(in: 2) ? nil : source.random.any(of: instants)
    }

    private static func limits(_ source: inout RandomConditions) -> CampaignLimits {
        CampaignLimits(
            perCustomer: source.random.any(of: [nil, 1, 0]), per: source.random.any(of: [nil] + periods),
            total: source.random.any(of: [nil, 10_000, -1]))
    }

    private static func variant(_ source: inout RandomConditions) -> CampaignVariant {
        CampaignVariant(
            id: text(&source), name: source.random.any(of: [nil, "Half price", "日本 🎁"]),
            weight: source.random.any(of: [0, 3333, 10_000, -1]),
            offers: (0..<source.random.below(3)).map { _ in
                CampaignVariant.Offer(productID: text(&source), offerID: text(&source))
            }, message: source.random.any(of: [nil, "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60", "hello"]))
    }

    private static func goal(_ source: inout RandomConditions) -> CampaignGoal {
        CampaignGoal(
            metric: source.random.any(of: CampaignGoal.Metric.allCases), window: source.random.any(of: periods),
            expected: source.random.any(of: [nil] + numbers), detect: source.random.any(of: [nil] + numbers),
            currency: source.random.any(of: [nil, "USD", "é"]), standardDeviation: source.random.any(of: [nil] + numbers),
            cap: source.random.any(of: [nil] + numbers), customersPerDay: source.random.any(of: [nil, 0, 300, Int.max]))
    }

    /// One that can be read, or a test of anything with anything.
    private static func condition(_ source: inout RandomConditions) -> Condition {
        if source.random.once(in: 2) { return source.condition() }
        let scalars = texts.map(ConditionValue.text) + numbers.map(ConditionValue.number) + [true, false]
        let operand =
            source.random.once(in: 2)
            ? source.random.any(of: scalars) : .list([source.random.any(of: scalars), source.random.any(of: scalars)])
        let subject: ConditionTest.Subject =
            source.random.once(in: 2)
            ? .attribute(text(&source)) : .fact(text(&source), group: source.random.once(in: 2) ? nil : text(&source))
        let test = Condition.test(ConditionTest(subject, source.random.any(of: ConditionOperator.allCases), operand))
        return source.random.any(of: [test, .not(test), .all([test, .any([])]), .segment(text(&source)), .any([test])])
    }
}
