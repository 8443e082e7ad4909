import EligibilityRules
import OfferService

/// One state of the keys' life, with an app's keys that are in it.
struct KeyLaneView: TemplateView {
    /// A key, and what comes next for it.
    struct Chip: TemplateView {
        let id: String
        let text: String
    }

    private static let hints = [
        ("staged", "Loaded and tested. Signs nothing yet."), ("active", "Signs every offer. Always exactly one."),
        ("retiring", "Signs nothing new. Its last offers can still be redeemed for 24 h."),
        ("retired", "Nothing depends on it. Revoke it in App Store Connect."),
    ]

    let badge: BadgeView
    let hint: String
    let isActive: Bool
    let chips: [Chip]

    /// Returns the states in their order.
    static func all(_ statuses: [KeyDesk.KeyStatus], _ time: ConsoleTime) -> [KeyLaneView] {
        hints.map { name, hint in
            KeyLaneView(
                badge: KeyBadge.view(name), hint: hint, isActive: name == "active",
                chips: statuses.filter { $0.stateName == name }.map { Chip(id: $0.keyID, text: next($0, time)) })
        }
    }

    private static func next(_ status: KeyDesk.KeyStatus, _ time: ConsoleTime) -> String {
        switch status.stateName {
        case "staged": "ready to activate"
        case "active": "\(ConsoleTime.count(status.signatures, "signature")) in 24 h"
        case "retiring":
            status.safeToRevokeAt.map { safe in
                "\(ConsoleTime.span(max(0, safe.milliseconds - time.now.milliseconds) / 1000)) to go"
            } ?? "another app still signs with it"
        default: status.isSafeToRevoke(at: time.now) ? "safe to revoke there now" : "another app still needs it"
        }
    }
}
