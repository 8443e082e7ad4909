import EligibilityRules

/// The counts of a variant or of the holdout, and their conversion.
struct CountsView: TemplateView {
    let exposed: String
    let matured: String
    let signed: String
    let redeemed: String
    let converted: String
    let refunded: String
    let rate: String
    let rateRange: String

    init(_ tally: OutcomeTally, _ interval: ConfidenceInterval) {
        exposed = ConsoleTime.number(tally.exposed)
        matured = ConsoleTime.number(tally.matured)
        signed = ConsoleTime.number(tally.signed)
        redeemed = ConsoleTime.number(tally.redeemed)
        converted = ConsoleTime.number(tally.converted)
        refunded = ConsoleTime.number(tally.refunded)
        rate = tally.matured == 0 ? "–" : ConsoleTime.share(tally.converted, of: tally.matured)
        rateRange = tally.matured == 0 ? "" : FigureText.range(interval, .percent)
    }
}
