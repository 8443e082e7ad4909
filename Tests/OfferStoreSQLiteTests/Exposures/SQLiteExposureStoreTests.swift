import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStoreSQLite

@Suite("Exposures in SQLite")
struct SQLiteExposureStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func record(_ exposures: Exposure..., in ledger: SQLiteLedger) async throws -> LedgerOutcome {
        try await ledger.record(LedgerSubmission(nil, exposures: exposures))
    }

    @Test("Two processes that write the same and other campaigns in turn agree on what they are")
    func processes() async throws {
        let stores = try (0..<2).map { _ in try SQLiteStore(path: path, audit: .testing) }
        let ledgers = stores.map { SQLiteLedger(store: $0) }
        var made: [Exposure] = []
        for number in 0..<40 {
            let variant = number % 3 == 0 ? nil : "v\(number % 3)"
            let exposure = Exposure.sample("u\(number)", variant: variant, revision: number / 8 + 1)
            made.append(exposure)
            #expect(try await record(exposure, in: ledgers[number % 2]) == .recorded)
        }
        let read = try await SQLExposureStore(stores[0]).exposures(
            of: "spring-winback", partition: "com.example.app", after: 0, limit: 99)
        #expect(read.map(\.exposure) == made)
        let arms = try await stores[0].read("count") { try Int.fetchOne($0, sql: "SELECT count(*) FROM exposure_arm")! }
        #expect(arms == Set(made.map(\.arm)).count)
    }

    @Test("A number that was given in a transaction that failed is given anew")
    func rollBack() async throws {
        let store = try SQLiteStore(path: path, audit: .testing)
        let ledger = SQLiteLedger(store: store)
        #expect(try await record(.sample("a", variant: "first"), in: ledger) == .recorded)
        try await store.write("forbid") { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER no_b BEFORE INSERT ON exposure WHEN new.unit = 'b' BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        await #expect(throws: StoreError(.unavailable, "")) {
            _ = try await record(.sample("b", variant: "second"), in: ledger)
        }
        #expect(try await record(.sample("c", variant: "third"), in: ledger) == .recorded)
        #expect(try await record(.sample("d", variant: "second"), in: ledger) == .recorded)
        let read = try await SQLExposureStore(store).exposures(
            of: "spring-winback", partition: "com.example.app", after: 0, limit: 99)
        #expect(
            read.map { [$0.exposure.unit, $0.exposure.arm.variant!] } == [["a", "first"], ["c", "third"], ["d", "second"]])
    }
}
