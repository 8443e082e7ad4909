public import EligibilityRules

/// What was decided about signing keys, and what they have signed. The keys themselves are nowhere in the store.
public protocol KeyStore: Sendable {
    /// Every decision, the oldest first.
    func keyDecisions() async throws(StoreError) -> [KeyDecision]

    /// Adds decisions, all or none, which raises the revision of `ChangeTopic.keys`.
    ///
    /// - Parameters:
    ///   - count: how many there were when these were made. False, and nothing is added, if there are more by now.
    ///   - events: what the audit log gets with them.
    func add(_ decisions: [KeyDecision], after count: Int, audit events: [AuditEvent]) async throws(StoreError) -> Bool

    /// Proposals that were made since an instant and nobody has agreed to, the oldest first.
    func keyProposals(since instant: Instant) async throws(StoreError) -> [KeyProposal]

    /// Adds a proposal.
    func add(_ proposal: KeyProposal) async throws(StoreError)

    /// Takes a proposal away: it was agreed to, or taken back. False if somebody else has done so.
    ///
    /// - Parameter events: what the audit log gets with it.
    func endProposal(id: String, audit events: [AuditEvent]) async throws(StoreError) -> Bool

    /// What was signed since an instant, by key and app; of what was signed before nothing is said.
    func keyUse(since instant: Instant) async throws(StoreError) -> [KeyUse]
}

extension KeyStore {
    /// Takes a proposal away without a word.
    public func endProposal(id: String) async throws(StoreError) -> Bool { try await endProposal(id: id, audit: []) }
}
