import OfferService

/// A delivery in the list.
struct EventRow: TemplateView {
    let number: String
    let at: RichText
    let type: String
    /// The app, the environment and the masked id of the customer, as far as the event has them.
    let about: String
    let endpoint: String
    let state: BadgeView
    /// The result of the last attempt; empty if there was none.
    let last: String

    init(_ line: EventLine, _ time: ConsoleTime) {
        number = "\(line.number)"
        at = time.at(line.at, withZone: false)
        type = line.type
        about = [line.bundleID, line.environment, line.customerID].compactMap(\.self).joined(separator: ", ")
        endpoint = line.endpoint
        state = EventWords.badge(line)
        last = line.lastAttempt.map(EventWords.outcome) ?? ""
    }
}

/// Describes the states of deliveries and the outcomes of attempts in words.
enum EventWords {
    /// Returns the state of a delivery as a badge.
    static func badge(_ line: EventLine) -> BadgeView {
        switch line.state {
        case "delivered": BadgeView(word: "Delivered", tone: "good")
        case "failed": BadgeView(word: "Failed", tone: "bad")
        default:
            BadgeView(word: line.attempts == 0 ? "Pending" : "Waits to try again", tone: line.attempts == 0 ? "idle" : "warn")
        }
    }

    /// Returns a sentence about the result of an attempt.
    static func outcome(_ attempt: EventAttemptLine) -> String {
        (attempt.fault ?? "Answered \(attempt.status ?? 0).").firstUppercased
    }
}
