import EligibilityRules
import Foundation
import OfferStore
import Synchronization

/// A replica's way to the ledger: what it submits waits until the simulation says what becomes of it.
final class UncertainLedger: ForwardingLedger {
    /// What becomes of a submission.
    enum Fate: CaseIterable {
        case written
        /// It never arrived.
        case lost
        /// It was written, and the answer was lost.
        case unknown
    }

    let ledger: any Ledger
    private let waiting = Mutex<[(submissions: [LedgerSubmission], completion: Completion)]>([])

    init(_ ledger: any Ledger) { self.ledger = ledger }

    /// How many submissions wait.
    var count: Int { waiting.withLock(\.count) }

    func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
        waiting.withLock { $0.append((submissions, completion)) }
    }

    /// Decides one that waits. Returns the nonces of its signatures.
    func settle(_ index: Int, _ fate: Fate) -> [UUID] {
        let (submissions, completion) = waiting.withLock { $0.remove(at: index) }
        let result = fate == .lost ? nil : called { ledger.record(submissions, completion: $0) }
        completion(fate == .written ? result! : .failure(StoreError(.unavailable, "no answer")))
        return submissions.compactMap(\.entry).flatMap(\.signatures).map(\.nonce)
    }

    // In turn, since a task that waits goes on at another time in each course.

    func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord? {
        try inTurn { [ledger] () async throws(StoreError) in try await ledger.answer(caller: caller, key: key, now: now) }
    }

    func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry? {
        try inTurn { [ledger] () async throws(StoreError) in try await ledger.entry(nonce: nonce) }
    }
}
