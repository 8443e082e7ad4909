import EligibilityRules
import OfferService

/// The content of the page that confirms the revocation of an access key.
struct AccessRevokeView: PageView {
    static let template = "access-revoke"

    let id: String
    let note: String
    let role: String
    let apps: String
    let lastUsed: RichText

    /// Creates the view.
    ///
    /// - Parameter lastUse: nil if the key has never been used.
    init(_ key: AccessKey, lastUse: Instant?, _ time: ConsoleTime) {
        id = key.id
        note = key.note
        role = key.role.firstUppercased.filter { $0 != "." }
        apps = key.apps?.joined(separator: ", ") ?? "all apps"
        lastUsed = AccessRowView.lastUsed(lastUse, time)
    }
}
