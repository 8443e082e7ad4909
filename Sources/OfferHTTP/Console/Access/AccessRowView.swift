import EligibilityRules
import OfferService

/// An access key in the list.
struct AccessRowView: TemplateView {
    private static let warning: Int64 = 14 * 86_400_000

    let id: String
    let note: String
    let role: String
    let apps: String
    let lastUsed: RichText
    let expires: RichText
    /// Whether this is the access key that the reader has signed in with.
    let isYou: Bool
    let canRevoke: Bool

    /// - Parameter lastUse: when the key was last used; nil if it never was.
    init(_ key: AccessKey, lastUse: Instant?, for caller: Caller, _ time: ConsoleTime) {
        let isAbove = Role(rawValue: key.role).map(caller.role.isBelow) ?? false
        id = key.id
        note = key.note.isEmpty ? "(no note)" : key.note
        role = key.role.firstUppercased.filter { $0 != "." }
        apps = key.apps?.joined(separator: ", ") ?? "All apps"
        lastUsed = Self.lastUsed(lastUse, time)
        expires = Self.expires(key, time)
        isYou = key.id == caller.id
        canRevoke = key.id != caller.id && key.isGood(at: time.now) && !isAbove
    }

    /// Returns when a key was last used, in words.
    static func lastUsed(_ lastUse: Instant?, _ time: ConsoleTime) -> RichText {
        lastUse.map { time.live($0, withZone: false) } ?? "never"
    }

    private static func expires(_ key: AccessKey, _ time: ConsoleTime) -> RichText {
        if let revoked = key.revokedAt {
            return "\(badge: "Revoked", tone: "bad") \(small: time.at(revoked, withZone: false))"
        }
        guard let end = key.expiresAt else { return "never" }
        let (at, left) = (time.at(end, withZone: false), end.milliseconds - time.now.milliseconds)
        return switch left {
        case ...0: "\(badge: "Expired", tone: "idle") \(small: at)"
        case ...warning: "\(badge: "in \(ConsoleTime.span(left / 1000))", tone: "warn") \(small: at)"
        default: at
        }
    }
}
