import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting

/// A ledger that passes on to another what it does not do itself.
protocol ForwardingLedger: Ledger {
    var ledger: any Ledger { get }
}

extension ForwardingLedger {
    func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
        ledger.record(submissions, completion: completion)
    }

    func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord? {
        try await ledger.answer(caller: caller, key: key, now: now)
    }

    func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry? { try await ledger.entry(nonce: nonce) }

    func entries(of nonces: [UUID]) async throws(StoreError) -> [LedgerEntry] { try await ledger.entries(of: nonces) }

    func entries(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError) -> [LedgerEntry]
    {
        try await ledger.entries(naming: ids, partition: partition, in: slice)
    }

    func refusals(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError)
        -> [LedgerRefusals]
    {
        try await ledger.refusals(naming: ids, partition: partition, in: slice)
    }

    func refusals(customerID: String, partition: AppPartition, limit: Int) async throws(StoreError) -> [LedgerRefusals] {
        try await ledger.refusals(customerID: customerID, partition: partition, limit: limit)
    }

    func count(_ redemptions: [CountedRedemption]) async throws(StoreError) { try await ledger.count(redemptions) }

    func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        try await ledger.pruneReservations(now: now, limit: limit)
    }

    func latestInstant() async throws(StoreError) -> Instant? { try await ledger.latestInstant() }

    func served(_ milliseconds: Int64, at instant: Instant) async throws(StoreError) -> Int64 {
        try await ledger.served(milliseconds, at: instant)
    }

    func prune(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        try await ledger.prune(servedSince: age, limit: limit)
    }

    func pruneRefusals(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        try await ledger.pruneRefusals(servedSince: age, limit: limit)
    }

    func pruneAnswers(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        try await ledger.pruneAnswers(servedSince: age, limit: limit)
    }
}
