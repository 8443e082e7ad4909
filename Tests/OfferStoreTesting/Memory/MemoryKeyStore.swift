package import EligibilityRules
package import OfferStore
import Synchronization

/// Decisions about signing keys that are forgotten with the process, and the use of keys as a ledger in memory has it.
package final class MemoryKeyStore: KeyStore {
    private let decisions = Mutex<[KeyDecision]>([])
    private let ledger: MemoryLedger

    package init(_ ledger: MemoryLedger) { self.ledger = ledger }

    /// How often something was decided.
    var revision: Int64 { decisions.withLock { Int64($0.count) } }

    package func keyDecisions() async throws(StoreError) -> [KeyDecision] { decisions.withLock { $0 } }

    package func add(_ added: [KeyDecision], after count: Int) async throws(StoreError) -> Bool {
        decisions.withLock { decisions in
            guard decisions.count == count else { return false }
            decisions += added
            return true
        }
    }

    package func keyUse(since instant: Instant) async throws(StoreError) -> [KeyUse] {
        let recent = ledger.entries.filter { $0.signedAt >= instant }
        return Dictionary(grouping: recent) { [$0.keyID, $0.bundleID] }.map { key, entries in
            KeyUse(
                keyID: key[0], bundleID: key[1], lastSignedAt: entries.map(\.signedAt).max()!,
                signatures: entries.reduce(0) { $0 + $1.signatures.count })
        }
    }
}
