import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@Suite("SQLite history file")
struct SQLiteHistoryFileTests {
    private let folder: TemporaryFolder
    private let histories: SQLiteHistoryStore
    private var path: String { folder.path("histories.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        histories = SQLiteHistoryStore(try SQLiteHistoryFile(path: folder.path("histories.sqlite")))
    }

    @Test("Customers whose ids share a hash are kept apart")
    func collision() async throws {
        _ = try await histories.apply(.sample([.sample("1")], of: "ada"))
        // As if a customer with the same hash had come first.
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "UPDATE customer SET customer_id = 'bob'") }
        #expect(try await histories.find(.sample(customer: "ada")) == .unknown)
        for (app, id) in [("com.example.app" as AppPartition, "2"), ("com.example.other", "3")] {
            _ = try await histories.apply(.sample([.sample(id)], of: "ada", app: app))
        }
        let ids = try await queue.read { try Int64.fetchAll($0, sql: "SELECT id FROM customer WHERE app = 1 ORDER BY id") }
        #expect(ids.count == 2 && ids[1] == ids[0] &+ 1)
        let found = try await histories.find(.sample(customer: "ada"))
        #expect(found.history.chains.map(\.originalID) == ["1", "2"])
        let other = try await histories.find(.sample(customer: "ada", app: "com.example.other"))
        #expect(other.history.chains.map(\.originalID) == ["3"])
    }

    @Test(
        "A customer's row that is lost or cannot be read is drawn anew when the history is supplied anew",
        arguments: ["UPDATE customer SET subscriptions = x'05'", "DELETE FROM customer"])
    func damagedRow(_ damage: String) async throws {
        let change = HistoryChange.sample([.sample("1")], of: "ada")
        _ = try await histories.apply(change)
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: damage) }
        let found = try await histories.find(.sample(customer: "ada"))
        #expect(found.isDamaged || !found.isSupplied)
        #expect(try await histories.apply(change) == .merged([.unchanged]))
        let mended = try await histories.find(.sample(customer: "ada"))
        #expect(try mended.intact().history.chains.map(\.originalID) == ["1"])
    }

    @Test("What a removed log held is saved by whatever is written next")
    func removedLog() async throws {
        _ = try await histories.apply(.sample([.sample("1")], of: "ada"))
        try FileManager.default.removeItem(atPath: path + "-wal")
        await #expect(throws: StoreError(.logRemoved, "")) {
            try await histories.bind(originalTransactionID: "2", to: "bob", partition: "com.example.app", now: .testNow)
        }
        let copy = folder.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let saved = SQLiteHistoryStore(try SQLiteHistoryFile(path: copy))
        #expect(try await saved.find(.sample(customer: "ada")).isSupplied)
    }

    @Test("Without the key of its hash, in which no customer would be found, it is refused")
    func lostKey() async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "DELETE FROM customer_hash") }
        #expect(throws: StoreError(.damaged, "")) { try SQLiteHistoryFile(path: path) }
    }

    @Test("The file of signatures is not taken for it, nor it for that one")
    func otherFile() throws {
        let other = folder.path("store.sqlite")
        try SQLiteStore(path: other, audit: .testing).close()
        #expect(throws: StoreError(.newerSchema, "")) { try SQLiteHistoryFile(path: other) }
        #expect(throws: StoreError(.newerSchema, "")) { try SQLiteStore(path: path, audit: .testing) }
    }
}
