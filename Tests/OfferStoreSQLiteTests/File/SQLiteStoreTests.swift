import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@Suite("SQLite store")
struct SQLiteStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test("What was recorded is there after closing and opening again")
    func reopening() async throws {
        let entry = LedgerEntry.sample()
        let first = try SQLiteStore(path: path, audit: .testing)
        _ = try await SQLiteLedger(store: first).record(LedgerSubmission(entry))
        try first.close()
        let second = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        #expect(try await second.entry(nonce: entry.nonce) == entry)
        #expect(try await second.record(LedgerSubmission(entry)) == .nonceReplayed(entry.nonce))
    }

    @Test("SQL sees one row a signature, and finds it by its nonce")
    func view() async throws {
        let own = LedgerSignature(
            nonce: UUID(), productID: #"a "b\"#, offerID: "", transactionID: "8", digest: [UInt8](repeating: 255, count: 32))
        let entries = [LedgerEntry.sample(nonces: UUID.series(of: 3), transaction: "7"), .sample(signatures: [own])]
        let store = try SQLiteStore(path: path, audit: .testing)
        for entry in entries { _ = try await SQLiteLedger(store: store).record(LedgerSubmission(entry)) }
        try store.close()
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let (all, found) = try queue.read { database in
            let all = try Row.fetchAll(database, sql: "SELECT * FROM ledger ORDER BY signed_request DESC")
            let sql = """
                SELECT product_id FROM nonce_series JOIN ledger USING (signed_request)
                WHERE series = substr(?1, 1, 8) AND nonce = ?1
                """
            let bytes = withUnsafeBytes(of: own.nonce.uuid) { Data($0) }
            return (all, try String.fetchAll(database, sql: sql, arguments: [bytes]))
        }
        #expect(found == [own.productID])
        let expected = entries.reversed().flatMap { entry in entry.signatures.map { (entry, $0) } }
        #expect(all.count == expected.count)
        for (row, (entry, signature)) in zip(all, expected) {
            #expect(row["nonce"] as Data == withUnsafeBytes(of: signature.nonce.uuid) { Data($0) })
            #expect(row["digest"] as Data == Data(signature.digest))
            #expect(row["product_id"] == signature.productID && row["offer_id"] == signature.offerID)
            #expect(row["signed_at"] == entry.signedAt.milliseconds)
            #expect(row["transaction_id"] == signature.transactionID ?? entry.request.transactionID)
        }
    }

    @Test("A store that a newer release has migrated is refused")
    func newerSchema() throws {
        try SQLiteStore(path: path, audit: .testing).close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')") }
        try queue.close()
        #expect(throws: StoreError(.newerSchema, "")) { try SQLiteStore(path: path, audit: .testing) }
    }

    @Test("Several processes may open a new store at once")
    func openedAtOnce() async throws {
        for round in 0..<20 {
            let path = "\(path)-\(round)"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try SQLiteStore(path: path, audit: .testing).close() } }
                try await group.waitForAll()
            }
            #expect(
                try await SQLiteLedger(store: SQLiteStore(path: path, audit: .testing)).record(LedgerSubmission(.sample()))
                    == .recorded)
        }
    }

    @Test("A file that is no database is refused and left alone")
    func strangeFile() throws {
        try Data("this is a text, long enough to be taken for a database header, but it is none".utf8)
            .write(to: URL(filePath: path))
        #expect(throws: StoreError(.unavailable, "")) { try SQLiteStore(path: path, audit: .testing) }
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("this is a text"))
    }

    @Test("A row of the ledger that was changed from outside is damaged, not read as something else")
    func damagedRows() async throws {
        let ledger = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        for change in ["form = 'other'", "offers = '[['", "offers = '[[\"one\"]]'", "digests = x'00'", "nonces = x'0011'"] {
            let entry = LedgerEntry.sample()
            #expect(try await ledger.record(LedgerSubmission(entry)) == .recorded)
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "UPDATE signed_request SET \(change)") }
            try queue.close()
            await #expect(throws: StoreError(.damaged, ""), "\(change)") { try await ledger.entry(nonce: entry.nonce) }
        }
    }

    @Test("A store that was moved away or made read-only records nothing, and recovers")
    func filesUnderTheService() async throws {
        let ledger = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        let unavailable = StoreError(.unavailable, "")
        func record() async throws -> LedgerOutcome { try await ledger.record(LedgerSubmission(.sample())) }
        #expect(try await record() == .recorded)

        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        await #expect(throws: unavailable) { try await record() }
        await #expect(throws: unavailable) { try await ledger.probe() }
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(try await record() == .recorded)

        chmod(path, 0o444)
        await #expect(throws: unavailable) { try await record() }
        chmod(path, 0o600)
        #expect(try await record() == .recorded)

        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
        await #expect(throws: unavailable) { try await record() }
    }

    @Test("A log that is removed under the service loses nothing")
    func removedLog() async throws {
        let first = try SQLiteStore(path: path, audit: .testing)
        let ledger = SQLiteLedger(store: first)
        let (kept, refused) = (LedgerEntry.sample(), LedgerEntry.sample())
        _ = try await ledger.record(LedgerSubmission(kept))
        try FileManager.default.removeItem(atPath: path + "-wal")
        await #expect(throws: StoreError(.logRemoved, "")) { try await ledger.record(LedgerSubmission(refused)) }
        // What a restart would see, without the closing connection's help.
        try FileManager.default.copyItem(atPath: path, toPath: path + ".seen")
        let restarted = SQLiteLedger(store: try SQLiteStore(path: path + ".seen", audit: .testing))
        #expect(try await restarted.entry(nonce: kept.nonce) == kept)
        #expect(try await restarted.entry(nonce: refused.nonce) == nil)
    }

    @Test("After closing, the file alone holds everything, and only its owner may read it")
    func closing() async throws {
        let store = try SQLiteStore(path: path, audit: .testing)
        let entry = LedgerEntry.sample()
        _ = try await SQLiteLedger(store: store).record(LedgerSubmission(entry))
        try store.close()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        let copy = SQLiteLedger(store: try SQLiteStore(path: path + ".copy", audit: .testing))
        #expect(try await copy.entry(nonce: entry.nonce) == entry)
    }

    @Test("A secret is the same for every process that opens the file")
    func secrets() async throws {
        let first = SQLSecretStore(try SQLiteStore(path: path, audit: .testing))
        let second = SQLSecretStore(try SQLiteStore(path: path, audit: .testing))
        #expect(try await first.secret(named: "seal") { [1, 2, 3] } == [1, 2, 3])
        #expect(try await second.secret(named: "seal") { [4, 5, 6] } == [1, 2, 3])
    }

    @Test("Access keys that are deleted by hand raise the revision, too")
    func access() async throws {
        let store = try SQLiteStore(path: path, audit: .testing)
        try await SQLAccessStore(store).add(
            AccessRecord(
                id: "0123", secretDigest: [1, 2], role: "client", apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: Instant(milliseconds: 1))))
        let feed = SQLChangeFeed(store)
        let added = try #require(try await feed.revisions()[.access])
        // There is no command for it, but a deletion by hand is meant.
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "DELETE FROM access") }
        try queue.close()
        #expect(try #require(try await feed.revisions()[.access]) > added)
    }
}
