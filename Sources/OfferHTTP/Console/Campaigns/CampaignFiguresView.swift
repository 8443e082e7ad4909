import EligibilityRules
import OfferService

/// The figures of a campaign in the list, as last counted.
struct CampaignFiguresView: TemplateView {
    /// The conversion of a variant.
    struct Variant: TemplateView {
        /// The CSS class of the variant's colour.
        let `class`: String
        let name: String
        /// The share of converted customers; a dash until the window of the first customer is over.
        let conversion: String
    }

    let exposed: String
    /// The variants; empty if customers were not split among them as planned, because the conversions then mean nothing.
    let variants: [Variant]
    let isHidden: Bool
    let health: CampaignHealth
    let asOf: RichText

    /// - Parameter campaign: the published campaign, from which the variants have their names; nil if it cannot be read.
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

/// A badge that says how a test is doing, and a short reason.
struct CampaignHealth: TemplateView {
    let badge: BadgeView
    /// The reason; it may be empty.
    let text: String

    /// Chooses the badge for what is most urgent about the test.
    init(_ figures: CampaignFigures, of campaign: Campaign?) {
        let needed = figures.daysNeeded.map { "about \(ConsoleTime.count($0, "more day"))" } ?? ""
        (badge, text) =
            if figures.isSplitOff {
                (BadgeView(word: "Split is off", tone: "bad"), "got \(Self.split(figures))")
            } else if let total = figures.total, total.isUsedUp {
                (BadgeView(word: "Used up", tone: "warn"), "\(ConsoleTime.number(total.max)) given")
            } else {
                switch figures.verdict {
                case .winner where figures.moneyDisagrees:
                    (BadgeView(word: "Money disagrees", tone: "warn"), figures.winner.map { campaign.label(ofVariant: $0) } ?? "")
                case .winner:
                    (BadgeView(word: "Winner", tone: "good"), figures.winner.map { campaign.label(ofVariant: $0) } ?? "")
                case .noDifference: (BadgeView(word: "No difference", tone: "idle"), "worth knowing")
                case _ where figures.variants.count < 2: (BadgeView(word: "Fine", tone: "good"), "one variant")
                case .noVerdictYet, .tooLittleData, .sampleRatioMismatch:
                    (BadgeView(word: "Cannot say yet", tone: "info"), figures.exposed == 0 ? "no customer yet" : needed)
                }
            }
    }

    /// Returns the shares of customers that the variants actually got: `55 : 45`.
    private static func split(_ figures: CampaignFigures) -> String {
        figures.variants.map { "\(Int((100 * Double($0.exposed) / Double(max(1, figures.exposed))).rounded()))" }
            .joined(separator: " : ")
    }
}
