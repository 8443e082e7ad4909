import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Lease and progress contract")
struct LeaseContractTests {
    private static let minute: Int64 = 60_000

    private func acquire(
        _ name: String = "poll",
        by holder: String,
        at milliseconds: Int64,
        in store: any StoreOnTrial
    ) async throws -> Bool {
        try await store.leases.acquire(
            name, holder: holder, now: .testNow.advanced(by: milliseconds), milliseconds: Self.minute)
    }

    @Test("A lease has one holder at a time", arguments: HistoryStoreUnderTest.allCases)
    func exclusion(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        #expect(try await acquire(by: "a", at: 0, in: first))
        #expect(try await !acquire(by: "b", at: 1, in: first))
        #expect(try await acquire("tie", by: "b", at: 1, in: first))
        let store = try first.reopened()
        #expect(try await !acquire(by: "b", at: Self.minute - 1, in: store))
        #expect(try await acquire(by: "b", at: Self.minute, in: store))
        #expect(try await !acquire(by: "a", at: Self.minute, in: store))
    }

    @Test("Its holder can renew it", arguments: HistoryStoreUnderTest.allCases)
    func renewal(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        #expect(try await acquire(by: "a", at: 0, in: store))
        #expect(try await acquire(by: "a", at: Self.minute / 2, in: store))
        #expect(try await !acquire(by: "b", at: Self.minute, in: store))
        #expect(try await acquire(by: "b", at: Self.minute * 3 / 2, in: store))
    }

    @Test("Its holder can give it back, and nobody else", arguments: HistoryStoreUnderTest.allCases)
    func release(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        #expect(try await acquire(by: "a", at: 0, in: store))
        try await store.leases.release("poll", holder: "b")
        try await store.leases.release("tie", holder: "a")
        #expect(try await !acquire(by: "b", at: 1, in: store))
        try await store.leases.release("poll", holder: "a")
        try await store.leases.release("poll", holder: "a")
        #expect(try await acquire(by: "b", at: 2, in: store))
    }

    @Test("Of many that want it at once, one gets it", arguments: HistoryStoreUnderTest.allCases)
    func race(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 { group.addTask { try await acquire(by: "holder \(number)", at: 0, in: store) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test("Progress is what was last noted under its name", arguments: HistoryStoreUnderTest.allCases)
    func progress(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        #expect(try await first.progress.progress("import:ä") == nil)
        try await first.progress.setProgress("import:ä", to: "1 2 3")
        try await first.progress.setProgress("import:ä", to: "4 5 6")
        try await first.progress.setProgress("import:a\u{308}", to: "")
        let store = try first.reopened()
        #expect(try await store.progress.progress("import:ä") == "4 5 6")
        #expect(try await store.progress.progress("import:a\u{308}") == "")
        #expect(try await store.progress.progress("import") == nil)
    }
}
