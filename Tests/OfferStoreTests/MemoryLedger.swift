import EligibilityRules
import Foundation
import OfferStore
import Synchronization

/// A ledger that forgets: what the contract means, in its simplest form.
final class MemoryLedger: Ledger {
    private struct State {
        var entries: [LedgerEntry] = []
        var answers: [String: IdempotencyRecord] = [:]
    }

    private let state = Mutex(State())

    func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
        completion(.success(state.withLock { state in submissions.map { MemoryLedger.record($0, in: &state) } }))
    }

    private static func record(_ submission: LedgerSubmission, in state: inout State) -> LedgerOutcome {
        if let record = submission.idempotency, let kept = state.answers[name(record.caller, record.key)],
            kept.createdAt.advanced(by: IdempotencyRecord.lifetime) > record.createdAt
        {
            return kept.requestDigest == record.requestDigest ? .answeredBefore(kept.answer) : .idempotencyKeyReused
        }
        if let entry = submission.entry {
            let used = Set(state.entries.flatMap(\.signatures).map { series(of: $0.nonce) })
            var own: [UUID] = []
            for nonce in entry.signatures.map(\.nonce) {
                guard !used.contains(series(of: nonce)), !own.contains(nonce) else { return .nonceReplayed(nonce) }
                own.append(nonce)
            }
            state.entries.append(entry)
        }
        if let record = submission.idempotency { state.answers[name(record.caller, record.key)] = record }
        return .recorded
    }

    private static func series(of nonce: UUID) -> Substring { nonce.uuidString.prefix(18) }

    private static func name(_ caller: String, _ key: String) -> String { "\(caller)\n\(key)" }

    func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord? {
        state.withLock { $0.answers[MemoryLedger.name(caller, key)] }
            .flatMap { $0.createdAt.advanced(by: IdempotencyRecord.lifetime) > now ? $0 : nil }
    }

    func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry? {
        state.withLock { $0.entries.first { entry in entry.signatures.contains { $0.nonce == nonce } } }
    }

    func latestInstant() async throws(StoreError) -> Instant? { state.withLock { $0.entries.map(\.signedAt).max() } }

    func prune(signedBefore instant: Instant, limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let due = state.entries.dropLast().prefix(limit).filter { $0.signedAt < instant }
            state.entries.removeAll(where: due.contains)
            return due.count
        }
    }

    func pruneAnswers(madeBefore instant: Instant, limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let due = state.answers.filter { $0.value.createdAt < instant }.prefix(limit)
            for (name, _) in due { state.answers[name] = nil }
            return due.count
        }
    }
}
