import EligibilityRules
import WireText

extension Instant {
    /// Reads a date of HTTP (RFC 9110), such as `Sun, 06 Nov 1994 08:49:37 GMT`. Nil for any other text, and for the two obsolete
    /// forms.
    init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let match = text.wholeMatch(of: /[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT/),
            let month = months.firstIndex(of: String(match.2)),
            let instant = Instant(iso8601: "\(match.3)-\(month < 9 ? "0" : "")\(month + 1)-\(match.1)T\(match.4)Z")
        else { return nil }
        self = instant
    }
}
