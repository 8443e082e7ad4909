import EligibilityRules
import OfferSigning
import OfferStore

extension KeyDesk {
    /// How long a proposal waits for the second person, in ms.
    static let proposalLifetime: Int64 = 24 * 3_600_000

    /// The proposals that wait for a second person.
    func openProposals() async throws(StoreError) -> [KeyProposal] {
        try await store.keyProposals(since: system.now().advanced(by: -Self.proposalLifetime))
    }

    /// Ends a proposal to which a second person agrees. Throws if another caller has already ended it.
    func endAgreed(_ proposal: KeyProposal, by origin: Origin) async throws {
        let event = proposal.event(.agreeKey, by: origin, at: system.now(), reason: proposal.reason)
        guard try await store.endProposal(id: proposal.id, audit: [event]) else { throw KeyError.unknownProposal(proposal.id) }
    }

    /// Withdraws the proposals that a decision has made pointless: they are no longer possible, or what they propose is already
    /// in force.
    func withdrawOvertaken(among entries: [KeyRing.Entry], by origin: Origin) async throws {
        for proposal in try await openProposals() {
            guard let request = KeyChangeRequest(proposal) else { continue }
            do {
                try await checkStates(request, for: proposal.bundleIDs, among: entries)
            } catch let error as KeyError {
                // The file of the key is missing and may come back, so the proposal stays.
                if case .unknownKey = error { continue }
                let event = proposal.event(.withdrawKey, by: origin, at: system.now(), reason: "overtaken: \(error)")
                _ = try await store.endProposal(id: proposal.id, audit: [event])
            }
        }
    }
}

extension KeyProposal {
    /// The audit event of a proposal.
    func event(_ action: AuditAction, by origin: Origin, at now: Instant, reason: String) -> AuditEvent {
        origin.event(
            action, at: now, partition: bundleIDs.count == 1 ? AppPartition(bundleID: bundleIDs[0]) : nil,
            object: AuditObject(keyID, after: auditText(.openSSL)),
            reason: reason.isEmpty ? nil : reason)
    }
}
