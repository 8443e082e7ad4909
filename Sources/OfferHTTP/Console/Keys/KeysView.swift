import OfferService

/// The content of the page about signing keys.
struct KeysView: PageView {
    static let template = "keys"

    /// A change that waits for a second person.
    struct Proposal: TemplateView {
        let who: String
        /// The change as a verb.
        let action: String
        let id: String
        let apps: String
        let reason: String?
        let at: RichText
        let until: RichText
        /// The proposal's id.
        let proposal: String
        /// Whether the reader has made it.
        let isOwn: Bool

        init(_ pending: KeyChange.Pending, for caller: Caller, in listing: KeyListing) {
            let request = pending.requestName.hasPrefix("revoke") ? "revoke" : pending.requestName
            who = listing.name(pending.proposedBy)
            action = request == "rollback" ? "roll back from" : request
            id = pending.keyID
            apps = pending.bundleIDs.joined(separator: ", ")
            reason = pending.reason.nonEmpty
            at = listing.time.at(pending.proposedAt)
            until = listing.time.live(pending.expiresAt)
            proposal = pending.id
            isOwn = pending.proposedBy == caller.id
        }
    }

    /// The number of keys, as a part of a sentence.
    let known: String
    /// What became of the reader's last action.
    let done: String?
    /// The ids of the keys that can be revoked in App Store Connect.
    let safe: [String]
    let pending: [Proposal]
    let warnings: [String]
    let apps: [KeyAppView]
    /// Why a key was not staged.
    let stageError: String?

    init(_ listing: KeyListing, pending: [Proposal], apps: [KeyAppView], done: String?, stageError: String?) {
        let (statuses, now) = (listing.statuses, listing.time.now)
        known = "\(ConsoleTime.count(Set(statuses.map(\.keyID)).count, "key is", "keys are")) known here"
        self.done = done
        safe = Set(statuses.filter { $0.isSafeToRevoke(at: now) }.map(\.keyID)).sorted()
        self.pending = pending
        warnings = listing.keys.warnings(statuses).map(\.sentence.firstUppercased)
        self.apps = apps
        self.stageError = stageError
    }
}
