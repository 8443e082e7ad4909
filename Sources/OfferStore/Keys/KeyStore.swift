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
