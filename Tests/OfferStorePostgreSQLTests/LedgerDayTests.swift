import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("The ledger is divided by days", .enabled(if: TestDatabase.isThere))
struct LedgerDayTests {
    private static let hour: Int64 = 3_600_000
    /// A day since 1970.
    private static let monday: Int64 = 20_000

    private let address: String
    /// A session beside the stores.
    private let beside: SessionThread

    init() throws {
        address = try TestDatabase.newSchema()
        beside = SessionThread(address, label: "test")
    }

    private func store() throws -> SigningStore {
        let store = try SigningStore.postgresql(address, audit: .testing)
        store.audit.use(.plain(1))
        return store
    }

    private func ask(_ sql: String) throws -> [Int64] {
        try beside.sync { thread throws(StoreError) in
            try thread.transaction("ask", .latest) { try $0.run(sql).map { $0.number(0) } }
        }
    }

    private func partitions(of table: String) throws -> Int {
        try ask("SELECT inhrelid::int8 FROM pg_inherits WHERE inhparent = '\(table)'::regclass").count
    }

    private func at(_ day: Int64, hour: Int64 = 12) -> Instant { Instant(milliseconds: day * 24 * Self.hour + hour * Self.hour) }

    private func entry(_ nonce: UUID = UUID(), issued: Int64, at time: Instant) -> LedgerEntry {
        let signature = LedgerSignature(
            nonce: nonce, issuedDay: issued, productID: "pro", offerID: "half", digest: [UInt8](repeating: 1, count: 32))
        return .sample(signatures: [signature], at: time.milliseconds)
    }

    private func refusals(at time: Instant) -> LedgerRefusals {
        LedgerRefusals(
            refusedAt: time, partition: "com.example.app", request: LedgerRequest(id: "r", caller: "c", customerID: "ann"),
            offers: [LedgerRefusals.Offer(productID: "pro", offerID: "half", reason: "no-history", evidence: nil)])
    }

    /// Signs and refuses on a day, and serves it. Returns the nonces.
    @discardableResult
    private func live(_ day: Int64, _ stores: [SigningStore], requests: Int = 3) async throws -> [UUID] {
        var nonces: [UUID] = []
        for hour in 0..<24 as Range<Int64> {
            for store in hour == 12 ? stores : [] {
                for _ in 0..<requests {
                    let entry = entry(issued: day, at: at(day, hour: hour))
                    nonces.append(entry.nonce)
                    let submission = LedgerSubmission(entry, refusals: refusals(at: at(day, hour: hour)))
                    #expect(try await store.ledger.record(submission) == .recorded)
                }
                _ = try await store.audit.seal(at: at(day, hour: hour), certifying: nil)
            }
            try await stores[0].ledger.served(Self.hour, at: at(day, hour: hour))
        }
        return nonces
    }

    @Test("A nonce is used once, whatever day it is and whichever process gets it")
    func nonces() async throws {
        let stores = try (0..<3).map { _ in try store() }
        let (used, late) = (UUID(), UUID())
        #expect(
            try await stores[0].ledger.record(LedgerSubmission(entry(used, issued: Self.monday, at: at(Self.monday))))
                == .recorded)
        let tuesday = at(Self.monday + 1, hour: 1)
        for store in stores {
            let own = LedgerSubmission(entry(issued: Self.monday + 1, at: tuesday))
            #expect(try await store.ledger.record(own) == .recorded)
            let again = LedgerSubmission(entry(used, issued: Self.monday, at: tuesday))
            #expect(try await store.ledger.record(again) == .nonceReplayed(used))
        }
        #expect(try partitions(of: "nonce_series") == 3)
        let outcomes = try await withThrowingTaskGroup(of: LedgerOutcome.self) { group in
            for store in stores {
                for hour in [23, 24, 25] as [Int64] {
                    let submission = LedgerSubmission(entry(late, issued: Self.monday, at: at(Self.monday, hour: hour)))
                    group.addTask { try await store.ledger.record(submission) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .recorded } == 1)
        #expect(outcomes.count { $0 == .nonceReplayed(late) } == 8)
        #expect(try await stores[0].ledger.entries(of: [used, late]).count == 2)
    }

    @Test("A batch costs two round trips, also where its nonces are of two days")
    func roundTrips() throws {
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        defer { store.close() }
        let session = try Session(address, patience: .seconds(10))
        let (audit, nonces, arms) = (store.audit!, NoncePartitions(), ExposureNumbers())
        func roundTrips(_ count: Int) throws -> Int {
            let submissions = (0..<count).map { number in
                LedgerSubmission(
                    entry(issued: Self.monday + Int64(number % 2), at: at(Self.monday + 1)),
                    refusals: refusals(at: at(Self.monday + 1)))
            }
            let before = session.roundTrips
            let transaction = Transaction(session, .latest)
            audit.begin()
            let batch = LedgerBatch([submissions], LimitHash(store.limitHash))
            let partitions = try nonces.partitions(of: batch.keys.series, transaction)
            let facts = try LedgerFinding.run(batch.keys, partitions, transaction)
            var writing = LedgerWriting(facts, partitions, audit, transaction)
            try writing.run(batch, batch.decide(facts), arms)
            transaction.afterCommit { audit.commit() }
            try transaction.commit()
            return session.roundTrips - before
        }
        // The day's partitions and chains are made, which a process does once.
        #expect(try roundTrips(2) > 2)
        #expect(try roundTrips(64) == 2)
    }

    @Test("A process goes on over midnight in new chains, and the old ones are sealed to their ends")
    func midnight() async throws {
        let store = try store()
        for hour in [23, 24, 23, 25, 49] as [Int64] {
            let time = at(Self.monday, hour: hour)
            let submission = LedgerSubmission(entry(issued: Self.monday + hour / 24, at: time), refusals: refusals(at: time))
            #expect(try await store.ledger.record(submission) == .recorded)
        }
        #expect(try ask("SELECT count(*) FROM audit_chain") == [6])
        #expect(try ask("SELECT count(DISTINCT tableoid) FROM signed_request") == [3])
        _ = try await store.audit.seal(at: at(Self.monday + 2), certifying: nil)
        let report = try await store.audit.verify(.plain([1]), heads: [])
        #expect(report.faults == [])
        #expect(report.tables.map(\.unsealed) == [0, 0, 0])
        #expect(report.tables.map(\.rows) == [5, 5, 0])
    }

    @Test("Processes that begin a day at once share its partitions, made ahead or not", arguments: [false, true])
    func beginning(isAhead: Bool) async throws {
        let stores = try (0..<4).map { _ in try store() }
        if isAhead {
            try await stores[0].ledger.served(Self.hour, at: at(Self.monday - 1))
            try await stores[0].ledger.prepareDays(keeping: 25 * Self.hour)
        }
        let before = try partitions(of: "signed_request")
        let outcomes = try await withThrowingTaskGroup(of: LedgerOutcome.self) { group in
            for store in stores {
                for _ in 0..<5 {
                    let submission = LedgerSubmission(
                        entry(issued: Self.monday, at: at(Self.monday)), refusals: refusals(at: at(Self.monday)),
                        auditEvents: [AuditEvent(at: at(Self.monday), actor: "ann", action: "a.b")])
                    group.addTask { try await store.ledger.record(submission) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: .recorded, count: 20))
        #expect(try partitions(of: "signed_request") == (isAhead ? before : before + 1))
        #expect(try partitions(of: "nonce_series") == 2)
        #expect(try ask("SELECT count(DISTINCT chain) FROM signed_request") == [4])
        #expect(try await stores[0].audit.verify(.plain([1]), heads: []).faults == [])
    }

    @Test("A day with more chains than a range has numbers goes on in another range")
    func fullRange() async throws {
        let first = try store()
        _ = try await first.ledger.record(LedgerSubmission(entry(issued: Self.monday, at: at(Self.monday))))
        _ = try ask("UPDATE chain_range SET opened = chains RETURNING 0::int8")
        let second = try store()
        _ = try await second.ledger.record(LedgerSubmission(entry(issued: Self.monday, at: at(Self.monday))))
        #expect(try ask("SELECT count(DISTINCT tableoid) FROM signed_request") == [2])
        #expect(try await second.audit.verify(.plain([1]), heads: []).faults == [])
    }

    @Test("Retention drops whole days, and the log verifies; nonces go once none can be used any more")
    func drop() async throws {
        let stores = try (0..<2).map { _ in try store() }
        var nonces: [UUID] = []
        for day in 0..<5 as Range<Int64> { nonces += try await live(Self.monday + day, stores) }
        func prune() async throws -> [Int] {
            let ledger = stores[1].ledger
            return [
                try await ledger.prune(servedSince: 25 * Self.hour, limit: 1),
                try await ledger.pruneRefusals(servedSince: 25 * Self.hour, limit: 1),
            ]
        }
        // Thursday is not over for a day, and goes as a whole.
        for _ in 0..<3 { #expect(try await prune() == [6, 6]) }
        for _ in 0..<2 { #expect(try await prune() == [0, 0]) }
        #expect(try ask("SELECT count(*) FROM signed_request") == [12])
        // One for each chain that is left, as none has grown for more than an hour.
        #expect(try ask("SELECT count(*) FROM serving_mark_chain") == [4])
        let report = try await stores[0].audit.verify(.plain([1]), heads: [])
        #expect(report.faults == [])
        #expect(report.tables.map(\.removed) == [18, 18, 0])
        #expect(report.tables.map(\.unsealed) == [0, 0, 0])
        #expect(try await stores[0].ledger.entries(of: nonces).count == 12)
        // Of Wednesday a nonce may have been used on Thursday.
        #expect(try ask("SELECT first FROM nonce_range WHERE is_dropped ORDER BY first") == [Self.monday, Self.monday + 1])
        let old = LedgerSubmission(entry(nonces[0], issued: Self.monday, at: at(Self.monday + 5)))
        await #expect(throws: StoreError.self) { try await stores[0].ledger.record(old) }
        await #expect(throws: StoreError.self) { try await self.store().ledger.record(old) }
        try await live(Self.monday + 5, stores)
        #expect(try await stores[1].audit.verify(.plain([1]), heads: []).faults == [])
    }

    @Test("While another session reads nothing is dropped, and no signature waits for long; it is dropped later")
    func reader() async throws {
        let store = try store()
        for day in 0..<4 as Range<Int64> { try await live(Self.monday + day, [store]) }
        let endReading = await reading("signed_request")
        let load = Task {
            while !Task.isCancelled {
                _ = try await store.ledger.record(LedgerSubmission(entry(issued: Self.monday + 3, at: at(Self.monday + 3))))
            }
        }
        for _ in 0..<3 {
            #expect(try await store.ledger.prune(servedSince: 25 * Self.hour, limit: 9) == 0)
            // Would wait for the reader if a drop waited for it.
            let entry = entry(issued: Self.monday + 3, at: at(Self.monday + 3))
            #expect(try await store.ledger.record(LedgerSubmission(entry)) == .recorded)
        }
        endReading()
        // A signature of the load may be in the way for longer than a round waits; then a later round drops.
        var dropped = 0
        for _ in 0..<100 where dropped == 0 { dropped = try await store.ledger.prune(servedSince: 25 * Self.hour, limit: 9) }
        #expect(dropped == 3)
        load.cancel()
        try await load.value
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
    }

    /// Begins a transaction of another session that has read a table. Returns what ends it.
    private func reading(_ table: String) async -> () -> Void {
        // The server ends a writer that is idle for seconds; a reader may be.
        let reader = SessionThread(address, label: "reader", isReader: true)
        let (begun, ended) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        reader.async { thread in
            _ = try? thread.transaction("read", .snapshot) { transaction in
                _ = try transaction.run("SELECT count(*) FROM \(table)")
                begun.continuation.yield()
                ended.wait()
            }
        }
        for await _ in begun.stream { break }
        return {
            ended.signal()
            reader.close()
        }
    }

    @Test("While another session reads, the next day gets its partitions")
    func readerAtTheEndOfADay() async throws {
        let store = try store()
        let today = try ask("SELECT extract(epoch FROM now())::int8 / 86400")[0]
        let before = try partitions(of: "nonce_series")
        try await store.ledger.served(Self.hour, at: at(today + 1, hour: 23))
        let endReading = await reading("nonce_series")
        try await store.ledger.prepareDays(keeping: 25 * Self.hour)
        #expect(try partitions(of: "nonce_series") == before + 1)
        endReading()
    }

    @Test("What was copied from another store blocks its nonces, and goes row by row")
    func copied() async throws {
        try TestDatabase.fill(address) { transaction in
            _ = try transaction.run(
                "INSERT INTO audit_chain (id, writer, table_name, opened_at) VALUES ($1, $1, 'signed_request', 0)",
                .bytes([UInt8](repeating: 1, count: 16)))
            _ = try transaction.run(
                """
                INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, request_id, nonces, digests, offers, chain, link)
                SELECT (1::int8 << 40) + 1, $1, 'com.example.app#Production', 'K', 'payload', 'c', 'r', $2, $2 || $2, '[["a","b"]]', 1, $2 || $2
                """, .instant(at(Self.monday)), .bytes(Self.usedBefore.bytes))
            _ = try transaction.run(
                "INSERT INTO nonce_series VALUES ($1, (1::int8 << 40) + 1)", .number(Self.usedBefore.seriesNumber))
            // As a copy does it.
            _ = try transaction.run("UPDATE nonce_range SET until_day = $1", .number(Self.monday + 1))
        }
        let store = try store()
        for day in [Self.monday - 1, Self.monday] {
            let again = LedgerSubmission(entry(Self.usedBefore, issued: day, at: at(Self.monday, hour: 13)))
            #expect(try await store.ledger.record(again) == .nonceReplayed(Self.usedBefore))
        }
        #expect(try await store.ledger.entry(nonce: Self.usedBefore) != nil)
        let today = try ask("SELECT extract(epoch FROM now())::int8 / 86400")[0]
        try await store.ledger.served(Self.hour, at: at(today + 1))
        try await store.ledger.prepareDays(keeping: 1000 * Self.hour)
        _ = try await store.ledger.record(LedgerSubmission(entry(issued: today + 2, at: at(today + 2))))
        #expect(try partitions(of: "nonce_series") == 2)
        try await store.ledger.served(Self.hour, at: at(today + 2))
        _ = try await store.ledger.record(LedgerSubmission(entry(issued: today + 2, at: at(today + 2))))
        try await store.ledger.served(25 * Self.hour, at: at(today + 4))
        #expect(try await store.ledger.prune(servedSince: 25 * Self.hour, limit: 9) > 0)
        #expect(try await store.ledger.entry(nonce: Self.usedBefore) == nil)
        #expect(try await store.ledger.prune(servedSince: 25 * Self.hour, limit: 9) == 0)
        // The first partition is empty.
        #expect(try ask("SELECT 1::int8 FROM pg_class WHERE oid = to_regclass('signed_request_0')") == [])
    }

    @Test("The log verifies after a day was dropped whose nonces are in the first partition")
    func firstPartition() async throws {
        try TestDatabase.fill(address) { transaction in
            _ = try transaction.run("UPDATE nonce_range SET until_day = extract(epoch FROM now())::int8 / 86400 + 2")
        }
        let store = try store()
        let today = try ask("SELECT extract(epoch FROM now())::int8 / 86400")[0]
        for day in today..<today + 4 { try await live(day, [store]) }
        #expect(try ask("SELECT count(*) FROM nonce_series_0")[0] == 6)
        // The empty partition of what was signed before goes first.
        #expect(try await store.ledger.prune(servedSince: 25 * Self.hour, limit: 9) == 0)
        #expect(try await store.ledger.prune(servedSince: 25 * Self.hour, limit: 9) == 3)
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
    }

    private static let usedBefore = UUID()
}
