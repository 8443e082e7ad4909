import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@Suite("Store files under a running service")
struct StoreFileGuardTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let ledger: SQLiteLedger
    private var path: String { folder.path("store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
        ledger = SQLiteLedger(store: store)
    }

    private func record(_ entry: LedgerEntry = .sample()) async throws -> LedgerOutcome {
        try await ledger.record(LedgerSubmission(entry))
    }

    private func sqlite(_ sql: String, _ name: String = "store.sqlite") async throws {
        let queue = try DatabaseQueue(path: folder.path(name))
        try await queue.writeWithoutTransaction { _ = try Row.fetchAll($0, sql: sql) }
        try queue.close()
    }

    private func truncate(_ name: String, to size: UInt64) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: folder.path(name)))
        try file.truncate(atOffset: size)
        try file.close()
    }

    /// Nothing is recorded or read any more, also once the files are left alone.
    private func expectNothingSigned(after entry: LedgerEntry) async {
        for _ in 0..<2 {
            await #expect(throws: StoreError(.filesChanged, "")) { try await record() }
            await #expect(throws: StoreError(.filesChanged, "")) { try await ledger.probe() }
            await #expect(throws: StoreError(.filesChanged, "")) { try await ledger.entry(nonce: entry.nonce) }
        }
    }

    @Test("Without the index of the log nothing is recorded, and nothing is lost, whatever others do meanwhile")
    func removedIndex() async throws {
        let (before, after) = (LedgerEntry.sample(), LedgerEntry.sample())
        #expect(try await record(before) == .recorded)
        try FileManager.default.removeItem(atPath: path + "-shm")
        try await sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        try await sqlite("UPDATE write_probe SET count = 1000")
        await expectNothingSigned(after: before)
        await #expect(throws: StoreError(.filesChanged, "")) { try await record(after) }
        try store.close()
        let restarted = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        #expect(try await restarted.record(LedgerSubmission(before)) == .nonceReplayed(before.nonce))
        #expect(try await restarted.entry(nonce: after.nonce) == nil)
        try await sqlite("PRAGMA integrity_check")
    }

    @Test("An older copy of the store that is copied over it is noticed")
    func olderCopy() async throws {
        #expect(try await record() == .recorded)
        try await sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        let copy = try Data(contentsOf: URL(filePath: path))
        let entry = LedgerEntry.sample()
        #expect(try await record(entry) == .recorded)
        try await sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try await record() == .recorded)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: copy)
        try file.close()
        await expectNothingSigned(after: entry)
    }

    @Test("Another store that is copied over it is noticed, also together with a checkpoint")
    func otherStore() async throws {
        let other = try SQLiteStore(path: folder.path("other.sqlite"), audit: .testing)
        #expect(try await SQLiteLedger(store: other).record(LedgerSubmission(.sample())) == .recorded)
        try other.close()
        let entry = LedgerEntry.sample()
        #expect(try await record(entry) == .recorded)
        try await sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: try Data(contentsOf: URL(filePath: folder.path("other.sqlite"))))
        try file.close()
        await expectNothingSigned(after: entry)
    }

    @Test(
        "A file that is cut short is noticed",
        arguments: [("store.sqlite", 0), ("store.sqlite", 4096), ("store.sqlite-wal", 0)])
    func cutShort(_ name: String, _ size: UInt64) async throws {
        #expect(try await record() == .recorded)
        try await sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        let entry = LedgerEntry.sample()
        #expect(try await record(entry) == .recorded)
        try truncate(name, to: size)
        await expectNothingSigned(after: entry)
    }

    @Test("No connection that is opened to a file that was emptied removes its log")
    func emptied() async throws {
        #expect(try await record() == .recorded)
        try truncate("store.sqlite", to: 0)
        let segments = SQLSegmentStore(store)
        await #expect(throws: StoreError(.damaged, "")) { _ = try await segments.segments(of: "com.example.app") }
        let copy = StoreCopy.File(from: path, to: folder.path("copy.sqlite"))
        #expect(throws: StoreError(.damaged, "")) { try StoreCopy.make([copy]) { _, _ in } }
        let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? UInt64
        #expect(size ?? 0 > 0)
    }

    @Test("A log that lost its last frame is noticed")
    func lostFrame() async throws {
        #expect(try await record() == .recorded)
        try await sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        let entry = LedgerEntry.sample()
        #expect(try await record(entry) == .recorded)
        let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as! UInt64
        try truncate("store.sqlite-wal", to: size - 1)
        await expectNothingSigned(after: entry)
    }

    @Test(
        "What SQLite does to its files is not a fault",
        arguments: [
            "PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(RESTART)", "PRAGMA wal_checkpoint(TRUNCATE)",
            "UPDATE write_probe SET count = 7", "VACUUM", "DELETE FROM signed_request", "CREATE TABLE more (x)",
        ])
    func rightfulChanges(_ sql: String) async throws {
        for _ in 0..<3 {
            for _ in 0..<40 { #expect(try await record() == .recorded) }
            try await sqlite(sql)
            try await sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
            #expect(try await record() == .recorded)
            if sql.hasPrefix("CREATE") { return }
        }
    }

    @Test("Checkpoints of another process, under way at every moment, are not a fault")
    func concurrentCheckpoints() async throws {
        let queue = try DatabaseQueue(path: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for index in 0..<200 {
                    let mode = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"][index % 4]
                    try await queue.writeWithoutTransaction { database in
                        _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(\(mode))")
                    }
                }
            }
            group.addTask {
                for _ in 0..<300 {
                    let outcome = try await record()
                    #expect(outcome == .recorded)
                }
            }
            try await group.waitForAll()
        }
        try queue.close()
    }

    @Test("A store that is missing while its log is there is not made anew")
    func logAlone() async throws {
        let entry = LedgerEntry.sample()
        #expect(try await record(entry) == .recorded)
        let place = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place.path("copy.sqlite" + suffix))
        }
        let copy = place.path("copy.sqlite")
        let content = try Data(contentsOf: URL(filePath: copy))
        try Data().write(to: URL(filePath: copy))
        #expect(throws: StoreError(.damaged, "")) { try SQLiteStore(path: copy, audit: .testing) }
        try FileManager.default.removeItem(atPath: copy)
        #expect(throws: StoreError(.damaged, "")) { try SQLiteStore(path: copy, audit: .testing) }
        try content.write(to: URL(filePath: copy))
        #expect(try await SQLiteLedger(store: try SQLiteStore(path: copy, audit: .testing)).entry(nonce: entry.nonce) == entry)
    }
}
