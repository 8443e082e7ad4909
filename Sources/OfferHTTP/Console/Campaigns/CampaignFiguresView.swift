import EligibilityRules
import OfferService

/// The figures of a campaign in the list, as last counted.
struct CampaignFiguresView: TemplateView {
    /// The conversion of a variant.
    struct Variant: TemplateView {
        /// The class of its colour.
        let `class`: String
        let name: String
        /// A dash before the first customer's time is over.
        let conversion: String
    }

    let exposed: String
    /// Empty while the split is off.
    let variants: [Variant]
    let isHidden: Bool
    let health: CampaignHealth
    let asOf: RichText

    /// - Parameter campaign: the published campaign, whose variants have names; nil if it cannot be read.
    init(_ figures: CampaignFigures, of campaign: Campaign?, _ time: ConsoleTime) {
        exposed = ConsoleTime.number(figures.exposed)
        isHidden = figures.isSplitOff
        variants =
            figures.isSplitOff
            ? []
            : figures.variants.enumerated().map { index, variant in
                Variant(
                    class: SplitBar.style(index), name: campaign.label(ofVariant: variant.id),
                    conversion: variant.matured == 0 ? "–" : ConsoleTime.share(variant.converted, of: variant.matured))
            }
        health = CampaignHealth(figures, of: campaign)
        asOf = time.at(figures.asOf, withZone: false)
    }
}
