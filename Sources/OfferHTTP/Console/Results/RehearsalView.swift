import EligibilityRules

/// What the testers of a campaign have met.
struct RehearsalView: TemplateView {
    /// The testers of a variant.
    struct Variant: TemplateView {
        let variant: String
        let times: String
        /// The text after it.
        let separator: String
    }

    let variants: [Variant]
    /// The path of the page about testers.
    let href: String

    /// Returns nil if there are no counts.
    init?(_ counts: [RehearsalCount], of campaign: Campaign?, href: String) {
        guard !counts.isEmpty else { return nil }
        variants = counts.enumerated().map { place, count in
            Variant(
                variant: campaign.label(ofVariant: count.variant),
                times: "(\(ConsoleTime.count(count.exposed, "tester")), \(ConsoleTime.count(count.signed, "signature")))",
                separator: place + 1 < counts.count ? ", " : ".")
        }
        self.href = href
    }
}
