import EligibilityRules
import OfferService

/// The signing keys of one app.
struct KeyAppView: TemplateView {
    /// A key that was revoked in this app.
    struct Revoked: TemplateView {
        let id: String
        let decided: KeyDecisionView?
        /// Whether the key is revoked in every app that had it.
        let isOver: Bool
    }

    /// The states, in the order in which the cards of the keys are shown. Revoked keys have no card.
    private static let order = ["active", "staged", "retiring", "retired"]

    let app: String
    let environment: String
    /// The id of the heading's element, for links to it.
    let anchor: String
    let now: RichText
    let lane: [KeyLaneView]
    let twoPersons: Bool
    let keys: [KeyCardView]
    let hasRevoked: Bool
    let revokedCount: String
    let revoked: [Revoked]

    /// - Parameters:
    ///   - app: the app; nil if the configuration no longer names it.
    ///   - index: the app's position on the page, which makes the ids of its elements unique.
    init(_ bundleID: String, _ app: App?, index: Int, in listing: KeyListing) {
        let statuses = listing.statuses.filter { $0.bundleID == bundleID }
        self.app = bundleID
        environment = app?.environmentName ?? ""
        anchor = "app-\(index)"
        now = listing.time.at(listing.time.now)
        lane = KeyLaneView.all(statuses, listing.time)
        twoPersons = app?.rules.needsTwoPersons ?? false
        let hasEarlier = statuses.contains { $0.stateName == "retiring" || $0.stateName == "retired" }
        keys = Self.shown(statuses).enumerated().map { number, status in
            KeyCardView(status, in: listing, anchor: "key-\(index)-\(number)", hasEarlier: hasEarlier)
        }
        revoked = statuses.filter { $0.stateName == "revoked" }.map { status in
            Revoked(
                id: status.keyID, decided: KeyDecisionView(status, in: listing),
                isOver: listing.keys.isRevokedEverywhere(status.keyID))
        }
        hasRevoked = !revoked.isEmpty
        revokedCount = ConsoleTime.count(revoked.count, "revoked key")
    }

    private static func shown(_ statuses: [KeyDesk.KeyStatus]) -> [KeyDesk.KeyStatus] {
        func place(_ status: KeyDesk.KeyStatus) -> Int { order.firstIndex(of: status.stateName) ?? order.count }
        return statuses.filter { $0.stateName != "revoked" }.sorted { (place($0), $0.keyID) < (place($1), $1.keyID) }
    }
}

/// The last decision about a key.
struct KeyDecisionView: TemplateView {
    let at: RichText
    let by: String
    let reason: String?

    /// Returns nil if nothing was decided about the key yet.
    init?(_ status: KeyDesk.KeyStatus, in listing: KeyListing) {
        guard let at = status.decidedAt, let by = status.decidedBy else { return nil }
        self.at = listing.time.at(at, withZone: false)
        self.by = listing.name(by)
        reason = status.reason?.nonEmpty
    }
}

/// One state in the life of a signing key, with those keys of an app that are in it.
struct KeyLaneView: TemplateView {
    /// A key, with a few words about what it does or what comes next.
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

    /// Returns all states, in the order of a key's life.
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

/// One key in one app, with what can be done to it.
struct KeyCardView: TemplateView {
    let id: String
    let app: String
    /// The id of the heading's element, for links to it.
    let anchor: String
    let badge: BadgeView
    let canActivate: Bool
    let isStaged: Bool
    let canRollBack: Bool
    /// When a key that signs nothing new can be revoked in App Store Connect; nil while the key signs.
    let safeText: RichText?
    let signatures: String
    let lastUsed: RichText
    /// The result of the last test signature.
    let tested: RichText
    /// The apps for which the key signs.
    let usedBy: String
    let decided: KeyDecisionView?
    let fingerprint: String

    /// - Parameter hasEarlier: whether the app has an earlier key, to which it can roll back.
    init(_ status: KeyDesk.KeyStatus, in listing: KeyListing, anchor: String, hasEarlier: Bool) {
        let (users, time) = (listing.users(of: status.keyID), listing.time)
        id = status.keyID
        app = status.bundleID
        self.anchor = anchor
        badge = KeyBadge.view(status.stateName)
        canActivate = status.stateName != "active"
        isStaged = status.stateName == "staged"
        canRollBack = status.stateName == "active" && hasEarlier
        let signsNoMore = status.stateName == "retiring" || status.stateName == "retired"
        safeText = signsNoMore ? Self.safeText(status, users, time) : nil
        signatures = ConsoleTime.number(status.signatures)
        lastUsed = status.lastSignedAt.map { time.live($0, withZone: false) } ?? "not in the last 24 h"
        tested = Self.tested(listing.canary.finding(status.keyID), time)
        usedBy = users.isEmpty ? "no app" : users.joined(separator: ", ")
        decided = KeyDecisionView(status, in: listing)
        fingerprint = status.fingerprint
    }

    private static func safeText(_ status: KeyDesk.KeyStatus, _ users: [String], _ time: ConsoleTime) -> RichText {
        guard let safe = status.safeToRevokeAt else {
            let apps = users.isEmpty ? "another app" : users.joined(separator: ", ")
            return "\(strong: "Do not revoke it in App Store Connect yet"): \(apps) still needs it."
        }
        guard safe > time.now else {
            return "\(strong: "Safe to revoke in App Store Connect now") (since \(time.at(safe)))."
        }
        let after: RichText = "Safe to revoke in App Store Connect after \(time.at(safe))"
        let left = ConsoleTime.span((safe.milliseconds - time.now.milliseconds) / 1000)
        let customers = ConsoleTime.count(status.signatures, "customer")
        return "\(strong: after) (in \(left)). Before that, up to \(customers) could see their offer fail."
    }

    private static func tested(_ finding: KeyCanary.Finding?, _ time: ConsoleTime) -> RichText {
        switch finding {
        case .verified(let at): "verified \(ConsoleTime.span(max(0, time.now.milliseconds - at.milliseconds) / 1000)) ago"
        case .failed: "\(badge: "Failed", tone: "bad"), see the log"
        case nil: "not yet"
        }
    }
}
