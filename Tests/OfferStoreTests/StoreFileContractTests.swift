import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL
@testable import OfferStoreSQLite

@Suite("Store contract: the store as a whole")
struct StoreFileContractTests: LimitSamples {
    @Test(
        "A store that is whole is writable, examined without a find, and made smaller",
        arguments: SigningStoreUnderTest.allCases)
    func whole(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.ledger.record(signature(.uses(LimitTerms(redeemed: 2)))) == .recorded)
        try await store.ledger.probe()
        try await store.file.look()
        try await store.file.examine()
        try await store.file.compact()
        try store.file.checkIntact()
        #expect(try await store.audit.verify(.plain([]), heads: []).tables.map(\.rows) == [1, 0, 0])
    }

    @Test("A secret is made once, until it is removed", arguments: SigningStoreUnderTest.allCases)
    func secrets(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let secrets = store.credentials.secrets
        #expect(try await secrets.secret(named: "a") { [1] } == [1])
        #expect(try await secrets.secret(named: "a") { [2] } == [1])
        try await secrets.remove(named: "b")
        try await secrets.remove(named: "a")
        #expect(try await secrets.secret(named: "a") { [3] } == [3])
    }

    @Test("A total of a limit that counts wrongly is found", .enabled(if: TestDatabase.isThere))
    func totals() async throws {
        let address = try TestDatabase.newSchema()
        #expect(try PostgreSQLStore.isNew(address))
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        defer { store.close() }
        #expect(try !PostgreSQLStore.isNew(address))
        try await store.examine()
        try await store.write("damage a total") { transaction in
            _ = try transaction.run("INSERT INTO offer_limit (limit_key, outstanding) VALUES (1, 1)")
        }
        await #expect(throws: StoreError(.damaged, "")) { try await store.examine() }
    }

    @Test(
        "A session that is lost during its commit is looked for, and work goes on once it is gone",
        .enabled(if: TestDatabase.isThere))
    func leftBehind() async throws {
        let store = try PostgreSQLStore(TestDatabase.newSchema(), readers: 1)
        defer { store.close() }
        await #expect(throws: StoreError(.unavailable, "")) {
            try await store.write("lose the session") { transaction in
                transaction.enqueue(SQLStatement("SELECT pg_terminate_backend(pg_backend_pid())"))
            }
        }
        try await store.look()
    }

    @Test("A copy has what the files have, and is another store if it is to replace one")
    func copies() async throws {
        let folder = try TemporaryFolder()
        let store = try SigningStore.sqlite(path: folder.path("store.sqlite"), audit: .testing) { _ in }
        let entry = LedgerEntry.sample()
        _ = try await store.ledger.record(LedgerSubmission(entry))
        for isNew in [false, true] {
            let path = folder.path("copy-\(isNew).sqlite")
            try StoreCopy.make([.init(from: folder.path("store.sqlite"), to: path)], asNewStore: isNew) { _, _ in }
            let id = try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            #expect((id == 0) == isNew)
            let copy = try SigningStore.sqlite(path: path, audit: .testing) { _ in }
            #expect(try await copy.ledger.entry(nonce: entry.signatures[0].nonce) == entry)
            try copy.file.close()
        }
        try store.file.close()
    }

    @Test("The row of a nonce that could be used again is named")
    func nonces() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let store = try SigningStore.sqlite(path: path, audit: .testing) { _ in }
        for _ in 0..<3 { _ = try await store.ledger.record(LedgerSubmission(.sample())) }
        try store.file.close()
        try await DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: "DELETE FROM nonce_series WHERE signed_request = (SELECT max(id) FROM signed_request)")
        }
        let again = try SigningStore.sqlite(path: path, audit: .testing) { _ in }
        let faults = try await again.audit.verify(.plain([]), heads: []).faults
        #expect(faults.map(\.description).contains { $0.contains("they could be used again") }, "\(faults)")
        try again.file.close()
    }

    @Test("Customers whose names fall on neighbouring rows are found when one of them is erased")
    func neighbours() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("histories.sqlite")
        var file = try SQLiteHistoryFile(path: path)
        for (id, customer) in [("1", "ada"), ("2", "bob")] {
            _ = try await SQLiteHistoryStore(file).apply(.sample([.sample(id)], of: customer))
        }
        try file.close()
        // As if the place of Bob's name were Ada's.
        try await DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: """
                    UPDATE customer SET id = 1 + (SELECT id FROM customer WHERE customer_id = 'ada') WHERE customer_id = 'bob'
                    """)
        }
        file = try SQLiteHistoryFile(path: path)
        let histories = SQLiteHistoryStore(file)
        #expect(try await !histories.find(.sample(customer: "bob")).isSupplied)
        _ = try await histories.erase(customerID: "ada", partition: "com.example.app", now: .hours(1))
        #expect(try await histories.find(.sample(customer: "bob")).isSupplied)
        try file.close()
    }

    @Test("What is outstanding in the files is outstanding in the database", .enabled(if: TestDatabase.isThere))
    func outstanding() async throws {
        let folder = try TemporaryFolder()
        let (signatures, histories) = (folder.path("store.sqlite"), folder.path("store-histories.sqlite"))
        let files = try SigningStore.sqlite(path: signatures, audit: .testing) { _ in }
        let rule = Reservation.Rule.uses(LimitTerms(outstanding: 1))
        #expect(try await files.ledger.record(signature(rule)) == .recorded)
        try files.file.close()
        try PurchaseStore.sqlite(path: histories, now: { .testNow }) { _ in }.file.close()
        let source = try SQLiteCopySource(
            signatures: signatures, histories: histories, audit: .testing, copiedTo: "there", onceWithout: [], at: .testNow
        ) { _ in }
        let address = try TestDatabase.newSchema()
        _ = try PostgreSQLCopy.run(source, to: address, audit: (.testing, .plain([])), report: { _, _ in })
        try source.close()
        let copy = try SigningStore.postgresql(address, audit: .testing)
        #expect(evidence(try await copy.ledger.record(signature(rule)))?.counted == 1)
        try copy.file.close()
    }
}
