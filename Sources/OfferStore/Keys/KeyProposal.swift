public import EligibilityRules

/// A proposed decision about a signing key, which a second person must approve.
public struct KeyProposal: Equatable, Sendable {
    /// The proposal's unique id.
    public let id: String
    /// The name of the proposed action.
    public let requestName: String
    /// Apple's key id.
    public let keyID: String
    /// Bundle ids of the apps concerned, sorted.
    public let bundleIDs: [String]
    /// When the proposal was made.
    public let proposedAt: Instant
    /// The proposer: an access key's id.
    public let proposedBy: String
    /// The reason, in the proposer's words.
    public let reason: String

    /// Stores the given values without checking them.
    public init(
        id: String,
        requestName: String,
        keyID: String,
        bundleIDs: [String],
        proposedAt: Instant,
        proposedBy: String,
        reason: String
    ) {
        self.id = id
        self.requestName = requestName
        self.keyID = keyID
        self.bundleIDs = bundleIDs
        self.proposedAt = proposedAt
        self.proposedBy = proposedBy
        self.reason = reason
    }
}

extension KeyProposal {
    /// The proposal as a text for the audit log, in the events of its beginning and its end.
    package func auditText(_ functions: AuditFunctions) -> String {
        let row = [keyID, String(proposedAt.milliseconds), proposedBy, reason]
        return "\(requestName) \(id) for \(bundleIDs.joined(separator: ", ")), \(functions.text(ofRow: row))"
    }
}
