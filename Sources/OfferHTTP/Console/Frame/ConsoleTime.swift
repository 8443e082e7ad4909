import EligibilityRules
import OfferService

/// Writes instants, lengths of time and numbers in the console's form.
struct ConsoleTime {
    let now: Instant
    /// The IANA name of the reader's time zone, for the local time that the script adds.
    let zone: String

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns `21 Nov, 14:05 UTC`, with the year unless it is the current one.
    func at(_ instant: Instant, withZone: Bool = true) -> RichText {
        RichText(runs: [RichText.Run(moment: moment(instant, withZone, isLive: false))])
    }

    /// Returns `21 Nov, 14:05` in UTC as plain text, with the year unless it is the current one.
    func plain(_ instant: Instant) -> String {
        let parts = instant.iso8601.split(whereSeparator: { "-T:Z".contains($0) }).map(String.init)
        let isThisYear = now.iso8601.hasPrefix(parts[0])
        let day = "\(Int(parts[2]) ?? 0) \(Self.months[(Int(parts[1]) ?? 1) - 1])\(isThisYear ? "" : " \(parts[0])")"
        return "\(day), \(parts[3]):\(parts[4])"
    }

    /// Returns `21 Nov`, with the year unless it is the current one.
    func day(_ instant: Instant) -> String { String(plain(instant).prefix { $0 != "," }) }

    /// Returns `21 Nov, 14:05 UTC` followed by how long ago it was, or how long it is until then.
    func live(_ instant: Instant, withZone: Bool = true) -> RichText {
        let seconds = (instant.milliseconds - now.milliseconds) / 1000
        let words = seconds > 0 ? "in \(Self.span(seconds))" : "\(Self.span(-seconds)) ago"
        return RichText(runs: [RichText.Run(moment: moment(instant, withZone, isLive: true))]) + " \(aside: "(\(words))")"
    }

    /// Returns an instant that is shown as a text without a zone.
    func moment(_ instant: Instant, as text: String) -> MomentText {
        MomentText(iso: instant.iso8601, zone: zone, text: text, hasZone: false, isLive: false)
    }

    private func moment(_ instant: Instant, _ withZone: Bool, isLive: Bool) -> MomentText {
        MomentText(iso: instant.iso8601, zone: zone, text: plain(instant), hasZone: withZone, isLive: isLive)
    }

    /// Returns `3 h 12 min`.
    static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        default: "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
        }
    }

    /// Returns `15,308`.
    static func number(_ number: Int) -> String {
        var digits = String(number)[...]
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    /// Returns `1 key`, `3 keys`.
    static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(Self.number(number)) \(number == 1 ? one : many ?? one + "s")"
    }
    /// Returns `4.7 %`, rounded for people.
    static func share(_ part: Int, of whole: Int) -> String {
        let tenths = whole == 0 ? 0 : (part * 1000 + whole / 2) / whole
        return "\(tenths / 10).\(tenths % 10)\u{a0}%"
    }

    /// Returns `4.65%`, in the form that the attributes of a drawing need.
    static func percent(_ part: Int, of whole: Int) -> String {
        let hundredths = whole == 0 ? 0 : (part * 10_000 + whole / 2) / whole
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)%"
    }
}

/// An instant, to which a script adds the reader's local time.
struct MomentText: TemplateView, Sendable {
    /// The instant in the form of ISO 8601.
    let iso: String
    /// The IANA name of the reader's time zone.
    let zone: String
    /// The instant for people, in UTC.
    let text: String
    /// Whether the text ends with `UTC`.
    let hasZone: Bool
    /// Whether the script keeps the remaining or elapsed time current.
    let isLive: Bool
}
