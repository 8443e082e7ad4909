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

    /// Those of which the latest decision says so.
    var revoked: Set<SigningKeyUse> {
        let states = decisions.withLock { decisions in
            Dictionary(decisions.map { (SigningKeyUse(keyID: $0.keyID, bundleID: $0.bundleID), $0.state) }) { $1 }
        }
        return Set(states.filter { $0.value == KeyDecision.revoked }.keys)
    }

    package func keyDecisions() async throws(StoreError) -> [KeyDecision] { decisions.withLock { $0 } }

    package func add(
        _ added: [KeyDecision],
        after count: Int,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        decisions.withLock { decisions in
            guard decisions.count == count else { return false }
            decisions += added
            audit.append(events)
            return true
        }
    }

    package func keyProposals(since instant: Instant) async throws(StoreError) -> [KeyProposal] {
        proposals.withLock { $0.filter { $0.proposedAt >= instant } }
    }

    package func add(_ proposal: KeyProposal) async throws(StoreError) { proposals.withLock { $0.append(proposal) } }

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
