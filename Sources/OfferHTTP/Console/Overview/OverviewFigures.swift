import EligibilityRules
import OfferService

/// The figures of the overview.
///
/// Only the apps that the reader may see are counted.
struct OverviewFigures: TemplateView {
    /// The figures of one app.
    struct AppRow: TemplateView {
        let id: String
        let signed: String
        let refused: String

        init(_ id: String, _ found: [OfferFigures.OfApp]) {
            let app = found.first { $0.name == id }
            self.id = id.replacing("#", with: " ")
            signed = ConsoleTime.number(app?.signed ?? 0)
            refused = ConsoleTime.number(app?.refused ?? 0)
        }
    }

    /// The refusals for one reason.
    struct Refusal: TemplateView {
        let text: String
        let code: String
        /// The length of the bar, as a percentage of the longest one.
        let width: String
        let offers: String
    }

    private static let chartMinutes = 60

    let signed: String
    let refused: String
    /// The number of refused offers with its unit: `3 offers`.
    let refusedInAll: String
    /// The share of refused offers among all requested offers, in words.
    let share: String
    /// The time to which the figures refer, in words. It is the last 24 hours, once all of them are counted.
    let range: RichText
    let counted: RichText
    /// Whether counting has not yet reached back 24 hours.
    let isCounting: Bool
    let since: RichText
    let times: AnswerTimesView
    /// The chart of signatures in the last hour; nil until all of that hour is counted.
    let chart: SignatureChart?
    let hasRefusals: Bool
    let refusals: [Refusal]
    let hasApps: Bool
    let apps: [AppRow]

    /// - Parameter additionalEnvironments: the names under which the store keeps the apps' additional environments, such as the
    ///   Sandbox beside Production. An environment in which something happened has a row of its own. The other figures do not
    ///   count it.
    init(figures: OfferFigures, apps ids: [String], additionalEnvironments: [String], times: AnswerTimes, time: ConsoleTime) {
        let own = figures.apps(ids.contains)
        let others = figures.apps(additionalEnvironments.contains)
        let (signed, refused) = (own.reduce(0) { $0 + $1.signed }, own.reduce(0) { $0 + $1.refused })
        self.signed = ConsoleTime.number(signed)
        self.refused = ConsoleTime.number(refused)
        refusedInAll = ConsoleTime.count(refused, "offer")
        share =
            signed + refused == 0
            ? "offers" : "\(ConsoleTime.share(refused, of: signed + refused)) of \(ConsoleTime.count(signed + refused, "offer"))"
        range = figures.isWhole ? "last 24 h" : "since \(time.at(figures.since)), still counting back to 24 h"
        counted = time.at(figures.at)
        isCounting = !figures.isWhole
        since = time.at(figures.since)
        self.times = AnswerTimesView(times, time)
        chart = figures.signatures(ofLast: Self.chartMinutes, ids.contains).map { minutes in
            SignatureChart(minutes: minutes, last: figures.at.milliseconds / 60_000)
        }
        hasRefusals = refused > 0
        refusals = Self.refusals(figures.refusals(ids.contains))
        apps = ids.map { AppRow($0, own) } + others.map { AppRow($0.name, others) }
        hasApps = apps.count > 1
    }

    /// Returns the rows for refusals.
    ///
    /// The first reason is the most frequent, and its bar has the full length.
    private static func refusals(_ all: [OfferFigures.Refusal]) -> [Refusal] {
        all.map { refusal in
            Refusal(
                text: RefusalWords.text(of: refusal.code), code: refusal.code,
                width: ConsoleTime.percent(refusal.offers, of: all[0].offers), offers: ConsoleTime.number(refusal.offers))
        }
    }
}
