import EligibilityRules

/// A customer's place among the places of a campaign, as a drawing.
struct BucketView: TemplateView {
    /// The places with the same outcome.
    struct Bar: TemplateView {
        /// The class of the colour.
        let `class`: String
        let x: String
        let width: String

        init(_ style: String, _ start: Int, _ end: Int) {
            self.class = style
            x = ConsoleTime.percent(start, of: Bucket.count)
            width = ConsoleTime.percent(end - start, of: Bucket.count)
        }
    }

    /// The outcome.
    let label: String
    /// The place, and what the places mean.
    let text: String
    /// The drawing in words.
    let alt: String
    /// The customer's place, in percent.
    let place: String
    let bars: [Bar]

    init(_ purpose: Bucket.Purpose, _ bucket: Bucket, of campaign: Campaign) {
        let number = "place \(ConsoleTime.number(bucket.number)) of 10,000"
        let meaning: String
        switch purpose {
        case .holdout:
            label = bucket.number < campaign.design.holdout ? "Held out: yes" : "Held out: no"
            meaning =
                campaign.design.holdout > 0
                ? "0 to \(ConsoleTime.number(campaign.design.holdout - 1)) are held out" : "no customer is held out"
            bars = [Bar("held", 0, campaign.design.holdout), Bar("v0 rest", campaign.design.holdout, Bucket.count)]
        case .enrol:
            label = bucket.number < campaign.design.enrolment ? "Let in: yes" : "Let in: no"
            meaning = "\(SplitBar.percent(campaign.design.enrolment)) are let in"
            bars = [Bar("v1", 0, campaign.design.enrolment), Bar("v0 rest", campaign.design.enrolment, Bucket.count)]
        case .variant:
            let variant = Self.variant(bucket, of: campaign)
            label = "Variant: \(variant.name)"
            meaning = variant.range
            bars = Self.bars(of: campaign.design.variants)
        }
        text = "\(number); \(meaning)"
        alt = "\(number.firstUppercased) \(meaning)."
        place = ConsoleTime.percent(bucket.number, of: Bucket.count)
    }

    private static func bars(of variants: [CampaignVariant]) -> [Bar] {
        var start = 0
        return variants.enumerated().map { index, variant in
            defer { start += variant.weight }
            return Bar(SplitBar.style(index), start, start + variant.weight)
        }
    }

    /// Returns the variant of a place, and the places that it has.
    private static func variant(_ bucket: Bucket, of campaign: Campaign) -> (name: String, range: String) {
        var end = 0
        for variant in campaign.design.variants {
            let start = end
            end += variant.weight
            if bucket.number < end {
                return (variant.label, "\(ConsoleTime.number(start)) to \(ConsoleTime.number(end - 1)) get \(variant.label)")
            }
        }
        return ("none", "")
    }
}
