import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStorePostgreSQL
import OfferStoreTesting
import Testing

@Suite("Event collection contract")
struct EventCollectionContractTests {
    @Test("Rows make events from the first collection on, once", arguments: EventStoreUnderTest.allCases)
    func once(_ implementation: EventStoreUnderTest) async throws {
        let store = try implementation.make()
        try await store.sign("before")
        try await store.buy("999")
        #expect(try await store.collect() == 0)
        #expect(try await store.collect() == 0)
        try await store.sign("1", at: .testNow.advanced(by: 1))
        try await store.refuse("2", at: .testNow.advanced(by: 2))
        try await store.act("key.stage", at: .testNow.advanced(by: 3))
        try await store.buy("1000", at: .testNow.advanced(by: 4))
        try await store.sign("3", at: .testNow.advanced(by: 5))
        #expect(try await store.collect() == 5)
        #expect(try await store.collect() == 0)
        #expect(try await store.types() == ["signed 1", "refused 2", "key.stage", "subscription.started", "signed 3"])
    }

    @Test("What no endpoint wants is skipped for good", arguments: EventStoreUnderTest.allCases)
    func unwanted(_ implementation: EventStoreUnderTest) async throws {
        let store = try implementation.make()
        _ = try await store.collect([])
        try await store.sign("1")
        _ = try await store.collect()
        try await store.sign("2")
        try await store.act("key.stage")
        let keys = [
            EventSubscription(endpoint: "shop", types: ["key.stage"]), EventSubscription(endpoint: "mail", types: ["key.*"]),
        ]
        #expect(try await store.collect(keys) == 2)
        try await store.sign("3")
        try await store.buy("1000")
        #expect(try await store.collect([]) == 0)
        #expect(try await store.collect() == 0)
        #expect(try await store.types() == ["key.stage", "key.stage"])
    }

    @Test("However few rows a call reads, all come in order", arguments: EventStoreUnderTest.allCases, 1...4)
    func slices(_ implementation: EventStoreUnderTest, limit: Int) async throws {
        let store = try implementation.make()
        _ = try await store.collect()
        var expected: [String] = []
        for number in 0..<40 {
            let time = Instant.testNow.advanced(by: Int64(number))
            switch (number * 7) % 5 {
            case 0:
                try await store.refuse("\(number)", at: time)
                expected.append("refused \(number)")
            case 1:
                try await store.act("act.\(number)", at: time)
                expected.append("act.\(number)")
            case 2:
                try await store.buy("\(number)00", at: time)
                expected.append("subscription.started")
            default:
                try await store.sign("\(number)", at: time)
                expected.append("signed \(number)")
            }
        }
        while try await store.collect(limit: limit) >= limit {}
        #expect(try await store.types() == expected)
    }

    @Test("A wrong clock loses no row, and blocks none", arguments: EventStoreUnderTest.allCases)
    func clock(_ implementation: EventStoreUnderTest) async throws {
        let store = try implementation.make()
        _ = try await store.collect()
        try await store.sign("future", at: .hours(100_000))
        try await store.sign("past", at: .hours(-100_000))
        try await store.sign("now")
        #expect(try await store.collect() == 3)
        #expect(try await store.types() == ["signed future", "signed past", "signed now"])
    }

    @Test("Collectors at the same time make each event once", arguments: EventStoreUnderTest.allCases)
    func atOnce(_ implementation: EventStoreUnderTest) async throws {
        let store = try implementation.make()
        _ = try await store.collect()
        for number in 0..<60 { try await store.sign("\(number)", at: .testNow.advanced(by: Int64(number))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<20 { _ = try await store.collect(limit: 7) } } }
            try await group.waitForAll()
        }
        #expect(try await store.types() == (0..<60).map { "signed \($0)" })
    }

    @Test("Retention that overtakes the collector stops nothing", arguments: EventStoreUnderTest.allCases)
    func pruned(_ implementation: EventStoreUnderTest) async throws {
        let store = try implementation.make()
        _ = try await store.collect()
        for number in 0..<5 { try await store.refuse("\(number)") }
        _ = try await store.signing.ledger.served(100 * 3_600_000, at: .testNow)
        _ = try await store.signing.ledger.pruneRefusals(servedSince: 1, limit: 3)
        try await store.refuse("5")
        _ = try await store.collect()
        #expect(try await store.types().last == "refused 5")
    }

    @Test("Changes of an erased customer make no events any more", arguments: EventStoreUnderTest.allCases)
    func erased(_ implementation: EventStoreUnderTest) async throws {
        let store = try implementation.make()
        _ = try await store.collect()
        try await store.buy("1000", of: "a")
        try await store.buy("2000", of: "b")
        _ = try await store.purchases.histories.erase(customerID: "a", partition: "com.example.app", now: .testNow)
        #expect(try await store.collect() == 1)
    }

    @Test("A collection that fails or is killed between two steps loses nothing, and repeats nothing")
    func killed() async throws {
        let store = try EventStoreUnderTest.sqlite.make()
        _ = try await store.collect()
        try await store.sign("1")
        try await store.buy("1000", at: .testNow.advanced(by: 1))
        let expected = ["signed 1", "subscription.started"]
        for (file, trigger) in [
            ("store.sqlite", "BEFORE INSERT ON event_delivery"), ("store.sqlite", "BEFORE INSERT ON event_position"),
            ("histories.sqlite", "BEFORE DELETE ON purchase_event"),
        ] {
            let queue = try DatabaseQueue(path: store.folder.path(file))
            try await queue.write {
                try $0.execute(sql: "CREATE TRIGGER stop \(trigger) BEGIN SELECT RAISE(ABORT, 'stopped'); END")
            }
            await #expect(throws: StoreError.self) { try await store.collect() }
            try await queue.write { try $0.execute(sql: "DROP TRIGGER stop") }
            // What a killed process leaves is what is in the files.
            let copy = try TemporaryFolder()
            for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path("")) {
                try FileManager.default.copyItem(atPath: store.folder.path(name), toPath: copy.path(name))
            }
            let again = try EventFixture(sqlite: copy)
            for _ in 0..<2 { _ = try await again.collect() }
            #expect(try await again.types() == expected)
        }
        for _ in 0..<2 { _ = try await store.collect() }
        #expect(try await store.types() == expected)
        let histories = try DatabaseQueue(path: store.folder.path("histories.sqlite"))
        let left = try await histories.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM purchase_event") }
        #expect(left == 0)
    }

    @Test("Rows of several replicas come in the order of answers, whatever their clocks say", .enabled(if: TestDatabase.isThere))
    func replicas() async throws {
        let store = try EventStoreUnderTest.postgresql.make()
        _ = try await store.collect()
        let others = try (0..<3).map { _ in try SigningStore.postgresql(store.address!, audit: .testing) }
        for number in 0..<30 {
            // Each replica's clock is some seconds off.
            let replica = number % 3
            try await store.sign(
                "\(number)", others[replica], at: .testNow.advanced(by: Int64(number - 4000 * replica)))
        }
        while try await store.collect(limit: 4) >= 4 {}
        #expect(try await store.types() == (0..<30).map { "signed \($0)" })
    }
}
