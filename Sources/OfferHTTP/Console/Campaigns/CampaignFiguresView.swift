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
    /// The control and the variant with the highest conversion besides; empty if customers were not split among the variants as
    /// planned, because the conversions then mean nothing.
    let variants: [Variant]
    let isHidden: Bool
    let health: CampaignHealth

    /// - Parameter campaign: the published campaign, from which the variants have their names; nil if it cannot be read.
    init(_ figures: CampaignFigures, of campaign: Campaign?) {
        exposed = ConsoleTime.number(figures.exposed)
        isHidden = figures.isSplitOff
        let others = figures.variants.indices.dropFirst()
        let best = others.max { Self.conversion(figures.variants[$0]) < Self.conversion(figures.variants[$1]) }
        variants =
            figures.isSplitOff
            ? []
            : [figures.variants.indices.first, best].compactMap(\.self).map { index in
                let variant = figures.variants[index]
                return Variant(
                    class: SplitBar.style(index), name: campaign.label(ofVariant: variant.id),
                    conversion: variant.matured == 0 ? "–" : ConsoleTime.share(variant.converted, of: variant.matured))
            }
        health = CampaignHealth(figures, of: campaign)
    }

    private static func conversion(_ variant: CampaignFigures.Variant) -> Double {
        Double(variant.converted) / Double(max(1, variant.matured))
    }
}

/// A badge that says how a test is doing, and a short reason.
struct CampaignHealth: TemplateView {
    /// How a test is doing: what is most urgent about it.
    enum Kind {
        case splitOff, usedUp, moneyDisagrees, winner, noDifference, open, oneVariant

        init(_ figures: CampaignFigures) {
            self =
                if figures.isSplitOff {
                    .splitOff
                } else if figures.total?.isUsedUp == true {
                    .usedUp
                } else {
                    switch figures.verdict {
                    case .winner: figures.moneyDisagrees ? .moneyDisagrees : .winner
                    case .noDifference: .noDifference
                    case .noVerdictYet, .tooLittleData, .sampleRatioMismatch: figures.variants.count < 2 ? .oneVariant : .open
                    }
                }
        }

        /// The place in the order of urgency, from 0.
        var rank: Int {
            switch self {
            case .splitOff: 0
            case .usedUp: 1
            case .moneyDisagrees: 2
            case .winner: 3
            case .noDifference: 4
            case .open: 5
            case .oneVariant: 6
            }
        }
    }

    let badge: BadgeView
    /// The reason; it may be empty.
    let text: String

    init(_ figures: CampaignFigures, of campaign: Campaign?) {
        let winner = figures.winner.map { campaign.label(ofVariant: $0) } ?? ""
        let needed = figures.daysNeeded.map { "about \(ConsoleTime.count($0, "more day"))" } ?? ""
        (badge, text) =
            switch Kind(figures) {
            case .splitOff: (BadgeView(word: "Split is off", tone: "bad"), "got \(Self.split(figures))")
            case .usedUp: (BadgeView(word: "Used up", tone: "warn"), "\(ConsoleTime.number(figures.total?.max ?? 0)) given")
            case .moneyDisagrees: (BadgeView(word: "Money disagrees", tone: "warn"), winner)
            case .winner: (BadgeView(word: "Winner", tone: "good"), winner)
            case .noDifference: (BadgeView(word: "No difference", tone: "idle"), "worth knowing")
            case .open: (BadgeView(word: "Cannot say yet", tone: "info"), figures.exposed == 0 ? "no customer yet" : needed)
            case .oneVariant: (BadgeView(word: "Fine", tone: "good"), "one variant")
            }
    }

    /// Returns the shares of customers that the variants actually got: `55 : 45`.
    private static func split(_ figures: CampaignFigures) -> String {
        figures.variants.map { "\(Int((100 * Double($0.exposed) / Double(max(1, figures.exposed))).rounded()))" }
            .joined(separator: " : ")
    }
}
