import EligibilityRules
import OfferService

/// Says a key's state as a word, a shape and a colour.
enum KeyBadge {
    /// Returns the badge of a state.
    ///
    /// - Parameter name: the name of the state.
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
    /// Whether nothing depends on the key any more, so that it can be revoked in App Store Connect.
    func isSafeToRevoke(at now: Instant) -> Bool { stateName == "retired" && safeToRevokeAt.map { $0 <= now } == true }
}

/// The keys of every app, as one reader sees them.
struct KeyListing {
    let statuses: [KeyDesk.KeyStatus]
    let keys: KeyAdministration
    let canary: KeyCanary
    /// The names of actors for people, by id.
    let names: [String: String]
    let time: ConsoleTime

    /// Returns the apps that sign with a key.
    func users(of keyID: String) -> [String] {
        statuses.filter { $0.keyID == keyID && $0.stateName == "active" }.map(\.bundleID)
    }

    /// Returns the name of an actor for people.
    func name(_ id: String) -> String { names[id] ?? id }
}
