import EligibilityRules
import OfferService
import Synchronization
import WireText

/// Makes the value of the `Date` header. It is made only once a second, because making it for each answer would take longer.
enum HTTPDate {
    private struct Text {
        var second: Int64 = -1
        var value = ""
    }

    private static let current = Mutex(Text())

    /// Returns the current time in the form of RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func now() -> String {
        let second = SystemEnvironment.live.now().milliseconds / 1000
        return current.withLock { text in
            if text.second != second {
                let bytes = CalendarText.bytes(second: second, format: "%a, %d %b %Y %H:%M:%S GMT")
                text = Text(second: second, value: String(decoding: bytes, as: UTF8.self))
            }
            return text.value
        }
    }
}
