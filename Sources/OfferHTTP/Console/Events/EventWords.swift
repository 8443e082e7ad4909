import OfferService

/// Deliveries in words.
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

    /// Returns what came of an attempt.
    static func outcome(_ attempt: EventAttemptLine) -> String {
        (attempt.fault ?? "Answered \(attempt.status ?? 0).").firstUppercased
    }
}
