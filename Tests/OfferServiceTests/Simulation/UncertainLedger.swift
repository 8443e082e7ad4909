import OfferStore
import OfferStoreTesting
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

    let ledger: MemoryLedger
    private let waiting = Mutex<[(submissions: [LedgerSubmission], completion: Completion)]>([])

    init(_ ledger: MemoryLedger) { self.ledger = ledger }

    /// How many submissions wait.
    var count: Int { waiting.withLock(\.count) }

    func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
        waiting.withLock { $0.append((submissions, completion)) }
    }

    /// Decides one that waits.
    func settle(_ index: Int, _ fate: Fate) {
        let (submissions, completion) = waiting.withLock { $0.remove(at: index) }
        let failure = Result<[LedgerOutcome], StoreError>.failure(StoreError(.unavailable, "no answer"))
        switch fate {
        case .written: ledger.record(submissions, completion: completion)
        case .lost: completion(failure)
        case .unknown: ledger.record(submissions) { _ in completion(failure) }
        }
    }
}
