import EligibilityRules

/// The bucket of a customer for one purpose of a campaign, as a drawing.
///
/// On the page, a bucket is called a place.
struct BucketView: TemplateView {
    /// The buckets that have the same outcome, as a part of the drawing.
    struct Bar: TemplateView {
        /// The CSS class of the colour.
        let `class`: String
        let x: String
        let width: String

        init(_ style: String, _ start: Int, _ end: Int) {
            self.class = style
            x = ConsoleTime.percent(start, of: Bucket.count)
            width = ConsoleTime.percent(end - start, of: Bucket.count)
        }
    }

    /// The outcome for the customer, such as `Held out: no`.
    let label: String
    /// A text with the number of the customer's bucket, and with the outcome for each range of buckets.
    let text: String
    /// The drawing in words.
    let alt: String
    /// The position of the customer's bucket in the drawing, as a percentage of its width.
    let place: String
    let bars: [Bar]

    init(_ purpose: Bucket.Purpose, _ bucket: Bucket, of campaign: Campaign) {
        let number = "bucket \(ConsoleTime.number(bucket.number)) of 10,000"
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

    /// Returns the name of the variant that a bucket gets, and words about which buckets get it.
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
