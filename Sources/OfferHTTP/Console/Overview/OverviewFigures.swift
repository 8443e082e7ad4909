import EligibilityRules
import OfferService

/// The figures of the overview for its template, of the apps that the reader may see. Each has its unit and its range of time.
struct OverviewFigures {
    private static let chartMinutes = 60

    let figures: OfferFigures
    let apps: [String]
    /// The stores' names for the apps' other environments. They are listed if something happened there, and counted nowhere else.
    let additionalEnvironments: [String]
    let times: AnswerTimes
    let time: ConsoleTime

    var values: [String: Any] {
        let own = figures.apps(apps.contains)
        let others = figures.apps(additionalEnvironments.contains)
        let rows = apps.map { row($0, own) } + others.map { row($0.name, others) }
        let (signed, refused) = (own.reduce(0) { $0 + $1.signed }, own.reduce(0) { $0 + $1.refused })
        var values: [String: Any] = [
            "signed": ConsoleTime.number(signed), "refused": ConsoleTime.number(refused),
            "refusedInAll": ConsoleTime.count(refused, "offer"), "range": range,
            "share": signed + refused == 0
                ? "offers"
                : "\(ConsoleTime.share(refused, of: signed + refused)) of \(ConsoleTime.count(signed + refused, "offer"))",
            "counted": time.at(figures.at), "isCounting": !figures.isWhole, "since": time.at(figures.since), "times": answerTimes,
            "hasRefusals": refused > 0, "refusals": refusals,
            "hasApps": rows.count > 1, "apps": rows,
        ]
        if let minutes = figures.signatures(ofLast: Self.chartMinutes, apps.contains) {
            values["chart"] = SignatureChart(minutes: minutes, last: figures.at.milliseconds / 60_000).values
        }
        return values
    }

    private func row(_ id: String, _ found: [OfferFigures.OfApp]) -> [String: Any] {
        let app = found.first { $0.name == id }
        return [
            "id": id.replacing("#", with: " "), "signed": ConsoleTime.number(app?.signed ?? 0),
            "refused": ConsoleTime.number(app?.refused ?? 0),
        ]
    }

    private var range: String { figures.isWhole ? "last 24 h" : "since \(time.at(figures.since)), still counting back to 24 h" }

    private var refusals: [[String: Any]] {
        let all = figures.refusals(apps.contains)
        return all.map { refusal in
            [
                "text": RefusalWords.text(of: refusal.code), "code": refusal.code,
                "width": ConsoleTime.percent(refusal.offers, of: all[0].offers), "offers": ConsoleTime.number(refusal.offers),
            ]
        }
    }

    private var answerTimes: [String: Any] {
        var values: [String: Any] = [
            "hasAny": times.total > 0, "requests": ConsoleTime.count(Int(times.total), "signature request"),
            "since": time.at(times.since),
            "longest": Self.duration(times.bounds.last ?? 0),
        ]
        if let bound = times.bound(of: 99) {
            let (number, unit) = Self.parts(bound)
            values["slow"] = ["number": number, "unit": unit]
        }
        if let bound = times.bound(of: 50) { values["half"] = Self.duration(bound) }
        return values
    }

    private static func duration(_ seconds: Double) -> String {
        let (number, unit) = parts(seconds)
        return "\(number)\u{a0}\(unit)"
    }

    /// Returns a bound with all of its digits, of which it has few: a rounded number would not be a bound.
    private static func parts(_ seconds: Double) -> (number: String, unit: String) {
        let (value, unit) = seconds < 1 ? (seconds * 1000, "ms") : (seconds, "s")
        let hundredths = Int((value * 100).rounded())
        guard hundredths % 100 != 0 else { return (ConsoleTime.number(hundredths / 100), unit) }
        let digits = hundredths % 10 == 0 ? "\(hundredths % 100 / 10)" : "\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        return ("\(hundredths / 100).\(digits)", unit)
    }
}
