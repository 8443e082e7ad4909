import EligibilityRules
import OfferService

/// One key in one app, with what can be done to it.
struct KeyCardView: TemplateView {
    let id: String
    let app: String
    /// The id of the card's heading.
    let anchor: String
    let badge: BadgeView
    let canActivate: Bool
    let isStaged: Bool
    let canRollBack: Bool
    /// When a key that signs no more can be revoked in App Store Connect.
    let safeText: RichText?
    let signatures: String
    let lastUsed: RichText
    /// The result of the last test signature.
    let tested: RichText
    /// The apps that sign with it.
    let usedBy: String
    let decided: KeyDecisionView?
    let fingerprint: String

    /// Creates a card.
    ///
    /// - Parameter hasEarlier: whether the app has a key that signed before.
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
