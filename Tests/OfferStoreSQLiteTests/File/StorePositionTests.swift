import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@Suite("What is noted beside a file of how far it has come")
struct StorePositionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("store.sqlite") }
    private var histories: String { folder.path("histories.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func copy(_ path: String, to other: String) throws {
        try? FileManager.default.removeItem(atPath: other)
        try FileManager.default.copyItem(atPath: path, toPath: other)
    }

    /// Opens the store, records so many signatures, and closes it.
    private func sign(_ count: Int = 1, at path: String? = nil) async throws {
        let store = try SQLiteStore(path: path ?? self.path, audit: .testing)
        for _ in 0..<count { _ = try await SQLiteLedger(store: store).record(LedgerSubmission(.sample())) }
        try store.close()
    }

    /// Opens the file of histories, and writes once.
    private func write() async throws {
        let file = try SQLiteHistoryFile(path: histories)
        let leases = SQLLeaseStore(file.store, now: { .testNow })
        try await leases.setProgress("test", to: "somewhere")
        try file.close()
    }

    @Test("An older copy in the place of the store is refused, and taken up once that is meant")
    func olderCopy() async throws {
        try await sign(3)
        try copy(path, to: path + ".copy")
        try await sign()
        try copy(path + ".copy", to: path)
        #expect(throws: StoreError(.setBack, "")) { try SQLiteStore(path: path, audit: .testing) }
        // To copy it to a database is to use it, too.
        #expect(throws: StoreError(.setBack, "")) { try SQLiteStore(path: path, audit: .testing, accepting: .copied) }
        // Looking at it changes nothing.
        try SQLiteStore(path: path, audit: .testing, accepting: .earlier).close()
        #expect(throws: StoreError(.setBack, "")) { try SQLiteStore(path: path, audit: .testing) }
        let store = try SQLiteStore(path: path, audit: .testing, accepting: .earlier)
        try await store.reinstate()
        try store.close()
        try await sign()
    }

    @Test("A damaged note refuses any store; the end of a longer note, which a kill has left, does not")
    func damagedNote() async throws {
        try await sign()
        let file = URL(filePath: path + "-lock")
        let whole = try Data(contentsOf: file)
        let parts = [whole.prefix(30), whole.dropLast(10), whole.dropFirst(20)]
        let others = ["no note", "12345          \nstore 1\nsigned_request 99 \n"].map { Data($0.utf8) }
        for damaged in parts + others + [Data(repeating: 0, count: 600)] {
            try damaged.write(to: file)
            #expect(throws: StoreError(.setBack, ""), "\(damaged)") { try SQLiteStore(path: path, audit: .testing) }
        }
        try (whole + Data("request 99\nend\n".utf8)).write(to: file)
        try await sign()
    }

    @Test("A copy that went its own way is refused, however far")
    func fork() async throws {
        try await sign(3)
        try copy(path, to: folder.path("fork.sqlite"))
        try await sign()
        try await sign(5, at: folder.path("fork.sqlite"))
        try copy(folder.path("fork.sqlite"), to: path)
        #expect(throws: StoreError(.setBack, "")) { try SQLiteStore(path: path, audit: .testing) }
    }

    @Test("Another store's file is refused, and a new file is not")
    func otherStore() async throws {
        try await sign()
        try await write()
        let other = folder.path("other.sqlite")
        try await sign(5, at: other)
        try copy(other, to: path)
        #expect(throws: StoreError(.setBack, "")) { try SQLiteStore(path: path, audit: .testing) }
        try FileManager.default.removeItem(atPath: path)
        try await sign()
    }

    @Test("An older file of histories is refused")
    func olderHistories() async throws {
        try await write()
        try copy(histories, to: histories + ".copy")
        try await write()
        try copy(histories + ".copy", to: histories)
        #expect(throws: StoreError(.setBack, "")) { try SQLiteHistoryFile(path: histories) }
        let store = try PurchaseStore.sqlite(path: histories, accepting: .earlier, now: { .testNow }) { _ in }
        try await store.file.reinstate()
        try store.file.close()
        try await write()
    }

    @Test("A store that is set back through SQLite under its process signs nothing more")
    func setBackInUse() async throws {
        try await sign(3)
        try copy(path, to: path + ".copy")
        let store = try SQLiteStore(path: path, audit: .testing)
        let ledger = SQLiteLedger(store: store)
        #expect(try await ledger.record(LedgerSubmission(.sample())) == .recorded)
        try await store.look()
        let (source, target) = (try DatabaseQueue(path: path + ".copy"), try DatabaseQueue(path: path))
        try source.backup(to: target)
        try source.close()
        try target.close()
        await #expect(throws: StoreError(.setBack, "")) { try await ledger.record(LedgerSubmission(.sample())) }
        await #expect(throws: StoreError(.setBack, "")) { try await store.look() }
    }

    @Test("What a store may go through is no step back: compacting, retention, an empty note, a kill")
    func harmless() async throws {
        try await sign(3)
        let store = try SQLiteStore(path: path, audit: .testing)
        try await store.compact()
        let ledger = SQLiteLedger(store: store)
        for _ in 0..<2 { try await ledger.served(3_600_000, at: .testNow) }
        while try await ledger.prune(servedSince: 0, limit: 2) > 0 {}
        try await store.look()
        try store.close()
        try await sign()
        try Data("12345          \n".utf8).write(to: URL(filePath: path + "-lock"))
        try await sign()
        // Its log is in use until the process ends, as after a kill.
        let killed = try SQLiteStore(path: path, audit: .testing)
        _ = try await SQLiteLedger(store: killed).record(LedgerSubmission(.sample()))
        try await killed.look()
        for end in ["", "-wal", "-lock"] { try copy(path + end, to: folder.path("after.sqlite" + end)) }
        try await sign(at: folder.path("after.sqlite"))
        try killed.close()
    }

    @Test("The note leaves the serving process's id in the lock file")
    func holder() async throws {
        let lock = try ServingLock(path: path)
        try await sign()
        let error = #expect(throws: StoreError(.inUse, "")) { try ServingLock(path: path) }
        #expect(error?.detail.contains("(process \(getpid()))") == true)
        lock.release()
        let text = try String(contentsOfFile: path + "-lock", encoding: .utf8)
        #expect(text.contains("signed_request 1 ") && text.hasSuffix("end\n"))
    }
}
