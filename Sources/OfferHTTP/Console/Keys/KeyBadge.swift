import EligibilityRules
import OfferService

/// Shows the state of a signing key as a badge.
enum KeyBadge {
    /// - Parameter name: the name of the state, such as `active`.
    static func view(_ name: String) -> BadgeView {
        let tone =
            switch name {
            case "staged": "info ring"
            case "active": "good"
            case "retiring": "warn"
            case "revoked": "bad"
            default: "idle"
            }
        return BadgeView(word: name.firstUppercased.filter { $0 != "." }, tone: tone)
    }
}

extension KeyDesk.KeyStatus {
    /// Whether the key can be revoked in App Store Connect, because no signature of it can be redeemed any more.
    func isSafeToRevoke(at now: Instant) -> Bool { stateName == "retired" && safeToRevokeAt.map { $0 <= now } == true }
}

/// The signing keys of every app that one reader may see.
struct KeyListing {
    let statuses: [KeyDesk.KeyStatus]
    let keys: KeyAdministration
    let canary: KeyCanary
    /// The names of actors for people, by the actors' ids.
    let names: [String: String]
    let time: ConsoleTime

    /// Returns the apps in which a key is active.
    func users(of keyID: String) -> [String] {
        statuses.filter { $0.keyID == keyID && $0.stateName == "active" }.map(\.bundleID)
    }

    /// Returns the name of an actor for people.
    func name(_ id: String) -> String { names[id] ?? id }
}
