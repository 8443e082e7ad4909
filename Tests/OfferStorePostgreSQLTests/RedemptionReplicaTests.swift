import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferStorePostgreSQL

@Suite("Redemptions that several processes tie at once", .enabled(if: TestDatabase.isThere))
struct RedemptionReplicaTests {
    private static let partition: AppPartition = "com.example.app"

    /// Signs for a customer, a minute apart.
    private func sign(_ count: Int64, for customer: String, from first: Instant, in store: PostgreSQLStore) async throws {
        try await store.write("sign") { transaction in
            transaction.enqueue(
                SQLStatement(
                    """
                    INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, customer_id, request_id, nonces,
                        digests, offers, chain, link)
                    SELECT coalesce((SELECT max(id) FROM signed_request), 0) + number, $1 + number * 60000, $2, '', '', '', $3, '',
                        uuid_send(gen_random_uuid()), '', '[["pro.monthly","half"]]', 1, ''
                    FROM generate_series(1, $4) AS number
                    """, [.instant(first), .text(Self.partition.name), .text(customer), .number(count)]))
        }
    }

    /// One an hour.
    private func redeem(_ count: Int, by customer: String, in store: PostgreSQLStore) async throws -> [String] {
        let transactions = (0..<count).map { number in
            PurchaseTransaction(
                id: "\(customer) \(number)", productID: "pro.monthly", purchasedAt: .hours(100 + Int64(number)),
                terms: .init(offer: RedeemedOffer(kind: .promotional, id: "half")))
        }
        let chain = PurchaseChain(originalID: "of \(customer)", transactions: transactions)
        _ = try await PostgreSQLHistoryStore(store).apply(.sample([chain], of: customer))
        return transactions.map(\.id)
    }

    private func nonces(_ store: PostgreSQLStore) async throws -> [UUID] {
        try await store.read("look") { transaction in
            try transaction.run("SELECT nonces FROM signed_request ORDER BY signed_at").map { $0.nonce(0) }
        }
    }

    @Test("Each signature is redeemed once, the last first")
    func rivals() async throws {
        let address = try TestDatabase.newSchema()
        let stores = try (0..<3).map { _ in try PostgreSQLStore(address, readers: 1) }
        try await sign(30, for: "ada", from: .hours(99), in: stores[0])
        let signed = try await nonces(stores[0])
        let redeemed = try await redeem(20, by: "ada", in: stores[0])
        let tied = try await withThrowingTaskGroup(of: Int.self) { group in
            for store in stores {
                group.addTask {
                    let redemptions = PostgreSQLRedemptionStore(store)
                    var sum = 0
                    while case let outcome = try await redemptions.tieRedemptions(limit: 3, now: .hours(200)),
                        outcome.examined > 0
                    {
                        sum += outcome.tied
                    }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(tied == 20)
        let ties = try await PostgreSQLRedemptionStore(stores[0]).nonces(redeemedBy: redeemed, partition: Self.partition)
        #expect(redeemed.map { ties[ExactText($0)] } == signed.reversed().prefix(20).map { $0 })
    }

    @Test("A redemption that is to be looked at again while it is looked at stays to be looked at")
    func lookedAtAgain() async throws {
        let store = try PostgreSQLStore(TestDatabase.newSchema(), readers: 1)
        let (histories, redemptions) = (PostgreSQLHistoryStore(store), PostgreSQLRedemptionStore(store))
        try await sign(1, for: "bob", from: .hours(99), in: store)
        let ids = try await redeem(1, by: "ada", in: store)
        let untied = try await store.read("look") { try UntiedRedemption.find(limit: 9, $0) }
        // By another process, while the signatures are looked through.
        #expect(try await histories.join(alias: "bob", into: "ada", partition: Self.partition, now: .testNow) == .joined)
        let ties = RedemptionTies(untied, untied.map { RedemptionCandidates($0.match) })
        #expect(try await store.write("tie") { try ties.write(at: .hours(200), $0) } == 0)
        #expect(try await redemptions.tieRedemptions(limit: 9, now: .hours(200)) == (1, 1))
        #expect(try await redemptions.nonce(redeemedBy: ids[0], partition: Self.partition) == nonces(store)[0])
    }

    @Test("Old and new redemptions are looked for in one walk, which passes over what lies between")
    func walk() async throws {
        let store = try PostgreSQLStore(TestDatabase.newSchema(), readers: 1)
        let redemptions = PostgreSQLRedemptionStore(store)
        // More than a slice between two purchases, and another before the first.
        try await sign(60_000, for: "cal", from: .hours(-1000), in: store)
        try await sign(1, for: "ada", from: .hours(99), in: store)
        try await sign(60_000, for: "cal", from: .hours(100), in: store)
        try await sign(1, for: "bob", from: .hours(2000), in: store)
        let ids = try await redeem(1, by: "ada", in: store)
        let late = PurchaseTransaction(
            id: "late", productID: "pro.monthly", purchasedAt: .hours(2001),
            terms: .init(offer: RedeemedOffer(kind: .promotional, id: "half")))
        _ = try await PostgreSQLHistoryStore(store).apply(
            .sample([PurchaseChain(originalID: "late", transactions: [late])], of: "bob"))
        #expect(try await redemptions.tieRedemptions(limit: 9, now: .hours(3000)) == (2, 2))
        let ties = try await redemptions.nonces(redeemedBy: ids + ["late"], partition: Self.partition)
        let signed = try await store.read("look") { transaction in
            try transaction.run("SELECT nonces FROM signed_request WHERE customer_id <> 'cal' ORDER BY id").map { $0.nonce(0) }
        }
        #expect([ties[ExactText(ids[0])], ties[ExactText("late")]] == signed)
    }

    @Test("Who deletes lapsed signatures waits for their totals, and lets others lock the signatures meanwhile")
    func prunedWhileCounted() async throws {
        let address = try TestDatabase.newSchema()
        let (store, other) = (try PostgreSQLStore(address, readers: 1), try PostgreSQLStore(address, readers: 1))
        try await store.write("hold a place") { transaction in
            transaction.enqueue(SQLStatement("INSERT INTO offer_limit (limit_key, outstanding) VALUES (7, 1)", []))
            transaction.enqueue(
                SQLStatement(
                    """
                    INSERT INTO reservation
                        (nonce, signed_request, until, names, staying_names, totals, staying_totals, held)
                    VALUES (uuid_send(gen_random_uuid()), 1, 1, '{}', '{}', '{7}', '{}', '{7}')
                    """, []))
        }
        let pruned = try await other.write("count a redemption") { transaction in
            _ = try transaction.run("SELECT 1 FROM offer_limit WHERE limit_key = 7 FOR NO KEY UPDATE")
            let pruning = Task { try await PostgreSQLLedger(store).pruneReservations(now: .hours(1), limit: 9) }
            let waits = "SELECT 1::int8 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            // If it fails instead, it waits for nothing.
            let failed = Mutex(false)
            Task { if case .failure = await pruning.result { failed.withLock { $0 = true } } }
            while try transaction.run(waits).map({ $0.number(0) }).isEmpty, !failed.withLock({ $0 }) { usleep(1000) }
            #expect(try transaction.run("SELECT 1::int8 FROM reservation FOR UPDATE NOWAIT").map { $0.number(0) } == [1])
            return pruning
        }
        #expect(try await pruned.value == 1)
        #expect(try await store.read("look") { try $0.run("SELECT outstanding FROM offer_limit").map { $0.number(0) } } == [0])
    }
}
