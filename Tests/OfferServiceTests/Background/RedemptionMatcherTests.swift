import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import OfferService

@Suite("Tying redemptions to signatures", .timeLimit(.minutes(30)))
struct RedemptionMatcherTests {
    private let clock = ManualClock(Instant.testNow.milliseconds)
    private let log = RecordedLog()
    private let store = TemporaryStore()
    private let redemptions: UnsteadyStore

    init() { redemptions = UnsteadyStore(store.redemptions) }

    private func matching(_ test: () async throws -> Void) async throws {
        let matcher = RedemptionMatcher(
            redemptions: redemptions, interval: .seconds(10), system: clock.environment, failures: log.makeFailureLog())
        try await ServiceGroup.serving(matcher, while: test)
    }

    /// Signs an offer for each of these, and lets it be redeemed.
    private func redeem(_ ids: [String]) async throws {
        for id in ids {
            let signature = LedgerSignature(
                nonce: UUID(), productID: "pro", offerID: "offer", digest: [UInt8](repeating: 0, count: 32))
            _ = try await store.ledger.record(LedgerSubmission(.sample(signatures: [signature], transaction: id)))
            let transaction = PurchaseTransaction(
                id: id, productID: "pro", purchasedAt: .testNow, kind: .autoRenewableSubscription,
                terms: .init(offer: RedeemedOffer(kind: .promotional, id: "offer")))
            let chain = PurchaseChain(originalID: id, transactions: [transaction])
            _ = try await store.histories.apply(.sample([chain]))
        }
    }

    private func tied(_ ids: [String]) async throws -> Int {
        var nonces: Set<UUID> = []
        for id in ids {
            if let nonce = try await redemptions.nonce(redeemedBy: id, partition: "com.example.app") { nonces.insert(nonce) }
        }
        return nonces.count
    }

    @Test("All that have come in are tied in each round, twenty a write with a pause between")
    func round() async throws {
        let first = (1...45).map { "\($0)000" }
        try await redeem(first)
        try await matching {
            for count in [20, 40] {
                #expect(await clock.nextSleep() == .milliseconds(20))
                #expect(try await tied(first) == count)
                clock.pass(20)
            }
            #expect(await clock.nextSleep() == .seconds(10))
            #expect(try await tied(first) == 45)
            try await redeem(["46000"])
            clock.pass(10_000)
            #expect(await clock.nextSleep() == .seconds(10))
            #expect(try await tied(["46000"]) == 1)
        }
        #expect(log.lines == [])
    }

    @Test("A round that fails is reported, and the next one does its work")
    func failure() async throws {
        try await redeem(["1000"])
        redemptions.isAway = true
        try await matching { () async throws in
            #expect(await clock.nextSleep() == .seconds(10))
            redemptions.isAway = false
            #expect(try await tied(["1000"]) == 0)
            clock.pass(10_000)
            #expect(await clock.nextSleep() == .seconds(10))
            #expect(try await tied(["1000"]) == 1)
        }
        #expect(log.failures == ["store-unavailable"])
        #expect(log.lines == ["error: redemptions could not be tied to signatures"])
    }

    @Test("A stop in the pause between two writes ends it, and is no failure")
    func stop() async throws {
        try await redeem((1...45).map { "\($0)000" })
        try await matching { #expect(await clock.nextSleep() == .milliseconds(20)) }
        #expect(log.failures == [])
    }

    /// Redemptions that can be away.
    private final class UnsteadyStore: RedemptionStore {
        private let store: any RedemptionStore
        private let away = Mutex(false)

        init(_ store: any RedemptionStore) { self.store = store }

        var isAway: Bool {
            get { away.withLock { $0 } }
            set { away.withLock { $0 = newValue } }
        }

        func tieRedemptions(limit: Int, now: Instant) async throws(StoreError) -> (examined: Int, tied: Int) {
            guard !isAway else { throw StoreError(.unavailable, "away") }
            return try await store.tieRedemptions(limit: limit, now: now)
        }

        func uncounted(
            partition: AppPartition?,
            originalTransactionID: String?,
            limit: Int
        ) async throws(StoreError) -> [UncountedRedemption] {
            try await store.uncounted(partition: partition, originalTransactionID: originalTransactionID, limit: limit)
        }

        func noteCounted(_ redemptions: [UncountedRedemption]) async throws(StoreError) {
            try await store.noteCounted(redemptions)
        }

        func nonces(redeemedBy transactionIDs: [String], partition: AppPartition) async throws(StoreError) -> [ExactText: UUID] {
            try await store.nonces(redeemedBy: transactionIDs, partition: partition)
        }

        func nonce(redeemedBy transactionID: String, partition: AppPartition) async throws(StoreError) -> UUID? {
            try await store.nonce(redeemedBy: transactionID, partition: partition)
        }
    }
}
