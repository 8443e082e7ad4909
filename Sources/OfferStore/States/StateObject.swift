import EligibilityRules

/// An object whose states audit events tell.
package struct StateObject: Hashable, Sendable, CustomStringConvertible {
    /// What it is.
    package enum Kind: String, Sendable {
        case campaign, segment, endpoint, proposal
    }

    let kind: Kind
    private let id: ExactText
    private let bundleID: ExactText

    /// - Parameters:
    ///   - id: of a proposal, what its events tell of it.
    ///   - bundleID: empty for an object of no app.
    package init(_ kind: Kind, _ id: String, of bundleID: String = "") {
        (self.kind, self.id, self.bundleID) = (kind, ExactText(id), ExactText(bundleID))
    }

    /// Its name in a sentence.
    package var description: String {
        "the \(kind.rawValue) \(id.string)" + (bundleID.string.isEmpty ? "" : " of \(bundleID.string)")
    }
}

/// What an audit event tells of an object: the states before and after; nil where there was none, or is none.
struct StateChange {
    /// The actions of all such events.
    static let actions =
        [
            "approve", "archive", "create", "discard", "end", "note", "pause", "publish", "reject", "resume", "rollback", "save",
            "submit", "testers", "unarchive",
        ].map { "campaign.\($0)" } + ["event.disable", "event.enable"] + [agreement, proposing, withdrawal]
        + ["segment.remove", "segment.save"]
    private static let (agreement, proposing, withdrawal) = ("key.agree", "key.propose", "key.withdraw")
    /// The only state of a proposal.
    static let open = "open"

    let object: StateObject
    let before: String?
    let after: String?
    /// The published revision of a campaign, as its state afterwards tells it; nil for none.
    var revision: String? { object.kind == .campaign ? after.flatMap(CampaignRecord.revision) : nil }

    /// - Parameter event: has one of `actions`.
    init(_ event: AuditEvent) {
        let (told, app) = (event.object, event.partition?.name ?? "")
        switch event.action.prefix(while: { $0 != "." }) {
        case "campaign": object = StateObject(.campaign, told.id ?? "", of: app)
        case "segment": object = StateObject(.segment, told.id ?? "", of: app)
        case "event": object = StateObject(.endpoint, told.id ?? "")
        default:
            object = StateObject(.proposal, told.after ?? "")
            (before, after) = event.action == Self.proposing ? (nil, Self.open) : (Self.open, nil)
            return
        }
        (before, after) = (told.before, told.after)
    }
}
