import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStoreSQLite

@Suite("Merging changes")
struct HistoryMergeTests {
    @Test("A batch looks at the store three times at most, however many changes it has")
    func looks() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try SQLiteHistoryFile(path: folder.path("histories.sqlite"))
        func looks(_ change: (Int) -> HistoryChange) async throws -> (count: Int, outcomes: [HistoryOutcome]) {
            let changes = (0..<64).map(change)
            return try await file.store.write("merge") { database in
                let rows = CountedRows(try SQLiteHistoryRows(database, file))
                var merge = HistoryMerge(rows)
                let outcomes = try merge.apply([changes])[0]
                try merge.finish()
                return (rows.looks, outcomes)
            }
        }
        func token(_ number: Int) -> String { "0a7e5b1c-0000-4000-8000-\(100_000_000_000 + number)" }
        func purchase(_ number: Int, _ customer: String, _ proof: BindingProof = .vouched) -> HistoryChange {
            var chain = PurchaseChain.sample("\(number)", periods: 0..<2, token: token(number))
            chain.appTransactionID = "\(9000 + number)"
            return .sample([chain], of: customer, by: proof)
        }
        let new = try await looks { purchase($0, "customer \($0)") }
        #expect(new.count == 2 && new.outcomes.allSatisfy { $0 == .merged([.changed]) })
        let known = try await looks { purchase($0, "customer \($0)") }
        #expect(known.count == 2 && known.outcomes.allSatisfy { $0 == .merged([.unchanged]) })
        let contested = try await looks { purchase($0, "rival \($0)", .claimed) }
        #expect(contested.count == 2 && contested.outcomes.allSatisfy { $0 == .merged([.boundToAnotherCustomer]) })
        let upgraded = try await looks { number in
            var chain = PurchaseChain.sample("\(1000 + number)")
            chain.previousOriginalID = "\(number)"
            return .sample([chain], of: "customer \(number)")
        }
        #expect(upgraded.count <= 3 && upgraded.outcomes.allSatisfy { $0 == .merged([.changed]) })
    }

    /// Counts how often it is searched.
    private final class CountedRows: HistoryRows {
        private let rows: SQLiteHistoryRows
        private(set) var looks = 0

        init(_ rows: SQLiteHistoryRows) { self.rows = rows }

        var keepsEvents: Bool { rows.keepsEvents }

        func number(ofApp partition: AppPartition) throws -> Int64 { try rows.number(ofApp: partition) }

        func find(_ keys: HistoryKeys) throws -> HistoryFacts {
            looks += 1
            return try rows.find(keys)
        }

        func keep(_ notifications: [(key: NotificationKey, record: NotificationRecord)]) throws -> Set<NotificationKey> {
            try rows.keep(notifications)
        }

        func write(_ news: HistoryNews) throws { try rows.write(news) }

        func rebuildSummaries(_ customers: [HistoryKey: CustomerTimes]) throws { try rows.rebuildSummaries(customers) }

        func alias(_ name: HistoryKey, of customerID: String, _ times: CustomerTimes) throws {
            try rows.alias(name, of: customerID, times)
        }

        func aliases(of customer: HistoryKey) throws -> [String] { try rows.aliases(of: customer) }

        func blankNotifications(ofChains keys: Set<HistoryKey>) throws -> Int { try rows.blankNotifications(ofChains: keys) }

        func forget(_ customers: [HistoryKey]) throws -> Bool { try rows.forget(customers) }
    }
}
