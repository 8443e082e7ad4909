import EligibilityRules
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@Suite("History contract: many changes at once")
struct HistoryBatchContractTests {
    private static let partition: AppPartition = "com.example.app"
    private static let ids = ["1", "2", "3", "4", "5"]
    private static let tokens = ["0a7e5b1c-0000-4000-8000-00000000000a", "0a7e5b1c-0000-4000-8000-00000000000b"]
    private static let names = ["ada", "bob", tokens[0], tokens[1].uppercased()]

    @Test(
        "Changes of one transaction have the same result as one after the other", arguments: HistoryStoreUnderTest.allCases)
    func order(_ implementation: HistoryStoreUnderTest) async throws {
        for seed in 0..<12 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let changes = (0..<24).map { Self.change(&random, at: .hours(Int64($0))) }
            let (together, alone) = (try implementation.make(), try implementation.make())
            defer { withExtendedLifetime((together, alone)) {} }
            var rest = changes[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(1 + random.below(12)))
                rest = rest.dropFirst(batch.count)
                var expected: [HistoryOutcome] = []
                for change in batch { expected.append(try await alone.histories.apply(change)) }
                #expect(try await together.histories.applyAll(batch) == expected, "seed \(seed)")
            }
            #expect(try await Self.content(of: together) == Self.content(of: alone), "seed \(seed)")
        }
    }

    /// Few ids, so that changes of one batch meet each other in every way.
    private static func change(_ random: inout SplitMix64, at now: Instant) -> HistoryChange {
        let chains = (0..<1 + random.below(3)).map { _ in chain(&random) }
        let name = random.once(in: 3) ? nil : random.any(of: names)
        let isNotified = random.once(in: 3)
        return HistoryChange(
            partition: partition, claim: CustomerClaim(name, random.any(of: [.claimed, .vouched, .vouched, .transferred])),
            chains: chains, terms: HistoryChange.Terms(isAllOrNothing: random.once(in: 4), transfers: random.once(in: 4)),
            extent: random.any(of: [.part, .part, .account, .foreign]),
            notification: isNotified ? notification(UInt8(random.below(6)), of: chains[0].originalID, at: now) : nil,
            receipts: random.once(in: 3) ? [receipt(&random, of: chains[0].originalID, at: now)] : [], receivedAt: now)
    }

    private static func chain(_ random: inout SplitMix64) -> PurchaseChain {
        let first = random.below(3)
        var chain = PurchaseChain.sample(
            random.any(of: ids), periods: first..<first + random.below(3),
            token: random.once(in: 3) ? random.any(of: tokens) : nil)
        if random.once(in: 4) { chain.previousOriginalID = random.any(of: ids) }
        if random.once(in: 3) { chain.appTransactionID = random.any(of: ["A", "B"]) }
        return chain
    }

    private static func notification(_ number: UInt8, of id: String, at now: Instant) -> NotificationRecord {
        NotificationRecord(
            key: [number], version: 2, type: "DID_RENEW", subtype: nil, originalTransactionID: id, body: [1], receivedAt: now)
    }

    private static func receipt(_ random: inout SplitMix64, of id: String, at now: Instant) -> KeptReceipt {
        KeptReceipt(
            originalTransactionID: id, sealed: [UInt8(random.below(256))], shownAt: .hours(Int64(random.below(24))),
            verifiedAt: random.once(in: 2) ? now : nil)
    }

    private struct Content: Equatable {
        var histories: [StoredHistory] = []
        var rest: [String] = []
    }

    private static func content(of store: any StoreFixture) async throws -> Content {
        var content = Content()
        let queries =
            names.map { HistoryQuery.sample(customer: $0) } + tokens.map { .sample(token: $0) }
            + ids.map { .sample(transaction: $0 + "01") } + ["A", "B"].map { .sample(account: $0) }
        for query in queries {
            content.histories.append(try await store.histories.wholeHistory(of: query))
            content.histories.append(try await store.histories.find(query))
        }
        for id in ids {
            let notifications = try await store.histories.notifications(partition: partition, originalTransactionID: id)
            content.rest.append("\(notifications.map(\.key).sorted { $0.lexicographicallyPrecedes($1) })")
        }
        content.rest.append("\(try await store.histories.seenGroups(partition: partition))")
        let due = try await store.histories.dueForPolling(partition: partition, now: .hours(1_000_000), limit: 100)
        content.rest += due.map { "\($0)" }.sorted()
        let receipts = try await store.receipts.claim(
            partition: partition, dueAt: .hours(1_000_000), until: .hours(1_000_001), limit: 100)
        content.rest += receipts.map { "\($0)" }.sorted()
        return content
    }
}
