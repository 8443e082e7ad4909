import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Lease and progress contract")
struct LeaseContractTests {
    private static let minute: Int64 = 60_000

    @Test("A lease has one holder at a time", arguments: LeaseStoreUnderTest.allCases)
    func exclusion(_ implementation: LeaseStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        #expect(try await first.acquire(by: "a", at: 0))
        #expect(try await !first.acquire(by: "b", at: 1))
        #expect(try await first.acquire("tie", by: "b", at: 1))
        let store = try first.reopened()
        #expect(try await !store.acquire(by: "b", at: Self.minute - 1))
        #expect(try await store.acquire(by: "b", at: Self.minute))
        #expect(try await !store.acquire(by: "a", at: Self.minute))
    }

    @Test("Its holder can renew it", arguments: LeaseStoreUnderTest.allCases)
    func renewal(_ implementation: LeaseStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        #expect(try await store.acquire(by: "a", at: 0))
        #expect(try await store.acquire(by: "a", at: Self.minute / 2))
        #expect(try await !store.acquire(by: "b", at: Self.minute))
        #expect(try await store.acquire(by: "b", at: Self.minute * 3 / 2))
    }

    @Test("Its holder can give it back, and no other process", arguments: LeaseStoreUnderTest.allCases)
    func release(_ implementation: LeaseStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        #expect(try await store.acquire(by: "a", at: 0))
        try await store.leases.release("poll", holder: "b")
        try await store.leases.release("tie", holder: "a")
        #expect(try await !store.acquire(by: "b", at: 1))
        try await store.leases.release("poll", holder: "a")
        try await store.leases.release("poll", holder: "a")
        #expect(try await store.acquire(by: "b", at: 2))
    }

    @Test("Of many that want it at once, one gets it", arguments: LeaseStoreUnderTest.allCases)
    func race(_ implementation: LeaseStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 { group.addTask { try await store.acquire(by: "holder \(number)", at: 0) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test("Progress is what was last noted under its name", arguments: LeaseStoreUnderTest.allCases)
    func progress(_ implementation: LeaseStoreUnderTest) async throws {
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
