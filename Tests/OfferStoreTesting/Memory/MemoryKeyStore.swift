package import EligibilityRules
package import OfferStore
import Synchronization

/// Decisions about signing keys that are forgotten with the process, and the use of keys as a ledger in memory has it.
package final class MemoryKeyStore: KeyStore {
    private let decisions = Mutex<[KeyDecision]>([])
    private let proposals = Mutex<[KeyProposal]>([])
    private let ledger: MemoryLedger
    private let audit: MemoryAudit

    package init(_ ledger: MemoryLedger, _ audit: MemoryAudit = MemoryAudit()) {
        self.ledger = ledger
        self.audit = audit
    }

    /// How often something was decided.
    var revision: Int64 { decisions.withLock { Int64($0.count) } }

    /// Those that a decision has revoked.
    var revoked: Set<SigningKeyUse> {
        let revoked = decisions.withLock { $0.filter { $0.state == KeyDecision.revoked } }
        return Set(revoked.map { SigningKeyUse(keyID: $0.keyID, bundleID: $0.bundleID) })
    }

    package func keyDecisions() async throws(StoreError) -> KeyDecisions { KeyDecisions.all(decisions.withLock { $0 }, audit) }

    package func add(
        _ added: [KeyDecision],
        after last: Int,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        decisions.withLock { decisions in
            guard decisions.count == last else { return false }
            decisions += added
            audit.append(events)
            return true
        }
    }

    package func keyProposals(since instant: Instant) async throws(StoreError) -> [KeyProposal] {
        proposals.withLock { $0.filter { $0.proposedAt >= instant } }
    }

    package func add(_ proposal: KeyProposal, audit events: [AuditEvent]) async throws(StoreError) {
        proposals.withLock { $0.append(proposal) }
        audit.append(events)
    }

    package func endProposal(id: String, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        proposals.withLock { proposals in
            guard let index = proposals.firstIndex(where: { $0.id == id }) else { return false }
            proposals.remove(at: index)
            audit.append(events)
            return true
        }
    }

    package func keyUse(since instant: Instant) async throws(StoreError) -> [KeyUse] {
        let recent = ledger.entries.filter { $0.signedAt >= instant }
        return Dictionary(grouping: recent) { [$0.keyID, $0.partition.bundleID] }.map { key, entries in
            KeyUse(
                keyID: key[0], bundleID: key[1], lastSignedAt: entries.map(\.signedAt).max()!,
                signatures: entries.reduce(0) { $0 + $1.signatures.count })
        }
    }
}

extension KeyDecisions {
    static func all(_ decisions: [KeyDecision], _ audit: MemoryAudit) -> KeyDecisions {
        KeyDecisions(decisions.enumerated().map { (Int64($0 + 1), $1) }, audit.recorded(actions))
    }
}

extension MemoryAudit {
    /// The events of some actions. All are linked.
    func recorded(_ actions: [String]) -> [RecordedEvent] {
        content.withLock(\.lines)[.events, default: []].map(\.event).filter { actions.contains($0.action) }
            .map { RecordedEvent($0, isLinked: true) }
    }
}
