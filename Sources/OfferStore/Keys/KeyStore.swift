public import EligibilityRules

/// Decisions about signing keys, and their use. The store never contains the keys themselves.
public protocol KeyStore: Sendable {
    /// All decisions, compared with the audit events that record them.
    func keyDecisions() async throws(StoreError) -> KeyDecisions

    /// Adds decisions, all or none, and raises the revision of `ChangeTopic.keys`.
    ///
    /// - Parameters:
    ///   - last: the number of the last decision that these are based on. Returns false, and adds nothing, if there are more.
    ///   - events: are recorded in the audit log with them. Each has the `object` of its decision.
    func add(_ decisions: [KeyDecision], after last: Int, audit events: [AuditEvent]) async throws(StoreError) -> Bool

    /// Open proposals made since an instant, the oldest first.
    func keyProposals(since instant: Instant) async throws(StoreError) -> [KeyProposal]

    /// Adds a proposal.
    ///
    /// - Parameter events: are recorded in the audit log with it.
    func add(_ proposal: KeyProposal, audit events: [AuditEvent]) async throws(StoreError)

    /// Ends a proposal by approval or withdrawal. Returns false if another caller has ended it already.
    ///
    /// - Parameter events: are recorded in the audit log with it.
    func endProposal(id: String, audit events: [AuditEvent]) async throws(StoreError) -> Bool

    /// What was signed since an instant, by key and app. Earlier signatures do not count.
    func keyUse(since instant: Instant) async throws(StoreError) -> [KeyUse]
}

/// Adds up the use of keys.
package struct KeyUses {
    private struct KeyInApp: Hashable {
        let keyID: String
        let bundleID: String
    }

    private var found: [KeyInApp: (last: Instant, signatures: Int)] = [:]

    package init() {}

    /// Adds signatures that were not added before.
    package mutating func add(_ use: KeyUse) {
        let key = KeyInApp(keyID: use.keyID, bundleID: use.bundleID)
        let before = found[key] ?? (use.lastSignedAt, 0)
        found[key] = (max(before.last, use.lastSignedAt), before.signatures + use.signatures)
    }

    /// The sums, one for each key and app, unordered.
    package var all: [KeyUse] {
        found.map { KeyUse(keyID: $0.keyID, bundleID: $0.bundleID, lastSignedAt: $1.last, signatures: $1.signatures) }
    }
}

/// The use of a key for an app since an instant.
public struct KeyUse: Equatable, Sendable {
    /// Apple's key id.
    public let keyID: String
    /// The app's bundle id.
    public let bundleID: String
    /// The time of the last signature.
    public let lastSignedAt: Instant
    /// Number of signatures.
    public let signatures: Int

    /// Stores the given values without checking them.
    public init(keyID: String, bundleID: String, lastSignedAt: Instant, signatures: Int) {
        self.keyID = keyID
        self.bundleID = bundleID
        self.lastSignedAt = lastSignedAt
        self.signatures = signatures
    }
}
