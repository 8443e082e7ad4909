import EligibilityRules
import Foundation
import GRDB
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@testable import OfferStoreSQLite

@Suite("What a process knows of limits")
struct LimitIndexTests {
    private static let start = Instant(milliseconds: 1_800_000_000_000)
    private let folder: TemporaryFolder
    private var path: String { folder.path("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func take(_ name: String, key: String? = nil) -> LedgerSubmission {
        .sample(
            taking: [.sample(name, LimitTerms(redeemed: 1), at: Self.start)],
            idempotency: key.map { .sample(key: $0) })
    }

    @Test("Of two processes each knows what the other has signed, and what is redeemed")
    func twoProcesses() async throws {
        let ledgers = try (0..<2).map { _ in SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing)) }
        for number in 0..<50 {
            let (first, second) = (ledgers[number % 2], ledgers[1 - number % 2])
            #expect(try await first.record(take("a\(number)")) == .recorded)
            #expect(try await second.record(take("a\(number)")).limits == ["a\(number)"])
            try await first.count([
                CountedRedemption(
                    partition: "app", transactionID: "\(number)", version: 1, total: "t", names: ["b\(number)"],
                    redeemedAt: Self.start, isRefunded: false, nonce: nil)
            ])
            #expect(try await second.record(take("b\(number)")).limits == ["b\(number)"])
            #expect(try await first.record(take("b\(number)")).limits == ["b\(number)"])
        }
        let late = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        #expect(try await late.record(take("a7")).limits == ["a7"])
        #expect(try await late.record(take("b7")).limits == ["b7"])
    }

    @Test("What a failed transaction has taken is free, and what another process writes in its place is seen")
    func failedTransaction() async throws {
        let first = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        let second = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        #expect(try await first.record(take("before")) == .recorded)
        let queue = try DatabaseQueue(path: path)
        try await queue.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER fail BEFORE INSERT ON idempotency WHEN new.key = 'fail' BEGIN SELECT RAISE(ABORT, 'planned'); END
                    """)
        }
        try queue.close()
        for number in 0..<10 {
            await #expect(throws: StoreError.self) { try await first.record(take("lost\(number)", key: "fail")) }
            // Under the number that the lost one had.
            #expect(try await second.record(take("others\(number)")) == .recorded)
            #expect(try await first.record(take("others\(number)")).limits == ["others\(number)"])
            #expect(try await first.record(take("lost\(number)")) == .recorded)
            #expect(try await second.record(take("lost\(number)")).limits == ["lost\(number)"])
        }
    }

    @Test("What is in the table is never left out nor told twice, and what has gone is forgotten", arguments: 0..<20)
    func forgetting(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let index = ReservationIndex()
        func insert(_ row: Int64, _ name: Int64) {
            for name in [name, -name - 1] { index.insert(row, under: LimitKey(name)) }
            index.insert(row: row, of: LimitKey(7))
        }
        var table: [(row: Int64, name: Int64)] = []
        var (gone, furthest): (Int64, Int64) = (0, 0)
        for row in Int64(1)...3_000 {
            let name = Int64.random(in: 0..<300, using: &random)
            insert(row, name)
            // Read once more, as after a transaction whose last row is gone.
            if random.once(in: 10) { insert(row, name) }
            table.append((row, name))
            // Most go from the front; some are redeemed before.
            while table.count > 400 || table.count > 1 && random.once(in: 3) { gone = table.removeFirst().row }
            if table.count > 2, random.once(in: 5) { table.remove(at: random.below(table.count)) }
            index.forget(before: table.first?.row)
            let asked = Int64.random(in: 0..<300, using: &random)
            let found = index.numbers(under: LimitKey(asked))
            #expect(Set(found).isSuperset(of: table.filter { $0.name == asked }.map(\.row)))
            #expect(found == Set(found).sorted())
            furthest = max(furthest, gone - (found.first ?? gone))
        }
        // As much again as there was at most, and the one that is filling.
        #expect(furthest <= 1_200)
        #expect(index.head(of: LimitKey(7)) == 1 && index.head(of: LimitKey(8)) == nil)
        for row in [9, 5, 6] as [Int64] { index.insert(row: row, of: LimitKey(8)) }
        #expect(index.head(of: LimitKey(8)) == 5)
    }

    @Test("A store of before keeps its outstanding signatures and its redemptions")
    func migration() async throws {
        let queue = try DatabaseQueue(path: path)
        try SQLiteMigrations.signatures.migrate(queue, upTo: "9 limits of offers")
        let nonce = UUID()
        let until = Self.start.advanced(by: Reservation.lifetime).milliseconds
        try await queue.write { database in
            let hash = try LimitIndex.readHash(database)
            let bytes = withUnsafeBytes(of: nonce.uuid) { Data($0) }
            try database.execute(sql: "INSERT INTO nonce_series VALUES (?, 5)", arguments: [bytes.prefix(8)])
            let total = hash("total")
            try database.execute(sql: "INSERT INTO offer_total VALUES (?, 1, 0, 0)", arguments: [total.hash])
            for name in ["anna", "anna's account"].map({ hash($0) }) + [total] {
                try database.execute(
                    sql: "INSERT INTO offer_use (limit_key, until, id, kept) VALUES (?, ?, ?, ?)",
                    arguments: [name.hash, until, bytes, name == total ? nil : Data([1, 2, 3])])
            }
            try database.execute(
                sql: "INSERT INTO offer_use (limit_key, until, id, at, refunded) VALUES (?, ?, ?, ?, 0)",
                arguments: [hash("bert").hash, Int64.max, Data("77".utf8), Self.start.milliseconds])
        }
        try queue.close()
        let ledger = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        for name in ["anna", "anna's account", "bert"] {
            #expect(try await ledger.record(take(name)).limits == [name])
        }
        func takeTotal() async throws -> LedgerOutcome {
            let nonce = UUID()
            let reservation = Reservation(
                scope: .sample, rule: .total(1, countsRefunded: true), names: .sample(["total"]), madeAt: Self.start,
                expiresAt: Self.start.advanced(by: Reservation.lifetime), nonce: nonce)
            return try await ledger.record(.sample(taking: [reservation]))
        }
        #expect(try await takeTotal().limits == ["total"])
        try await ledger.count([
            CountedRedemption(
                partition: "app", transactionID: "78", version: 1, total: "other", names: ["anna", "anna's account"],
                redeemedAt: Self.start, isRefunded: false, nonce: nonce)
        ])
        // Of the total it stays outstanding.
        #expect(try await takeTotal().limits == ["total"])
        #expect(try await ledger.record(take("anna")).limits == ["anna"])
    }

    /// As it was kept until the fifteenth migration: who may have it again, and all of it.
    private func kept(_ nonce: UUID, _ number: Int) -> Data {
        var kept = Data()
        for part in ["0123456789abcdef", "payload", "", "ä"] { kept += Array(part.utf8) + [0xFF] }
        kept += [3] + Array("KEY".utf8)
        withUnsafeBytes(of: nonce.uuid) { kept.append(contentsOf: $0) }
        return kept + Array(repeating: 0, count: 8) + [0] + [UInt8(number), 0xFF, 1]
    }

    @Test("What the version before has reserved counts, comes again, is redeemed and lapses")
    func reservationsOfBefore() async throws {
        let queue = try DatabaseQueue(path: path)
        try SQLiteMigrations.signatures.migrate(queue, upTo: "11 campaigns")
        let nonces = (0..<40).map { _ in UUID() }
        let until = Self.start.advanced(by: Reservation.lifetime).milliseconds
        try await queue.write { database in
            let hash = try LimitIndex.readHash(database)
            let total = hash("total")
            try database.execute(sql: "INSERT INTO offer_total VALUES (?, 40, 0, 0)", arguments: [total.hash])
            for (number, nonce) in nonces.enumerated() {
                let bytes = withUnsafeBytes(of: nonce.uuid) { Data($0) }
                try database.execute(sql: "INSERT INTO nonce_series VALUES (?, ?)", arguments: [bytes.prefix(8), 5 + number])
                let names = ["a\(number)", "b\(number)"].map { hash($0) }
                try database.execute(
                    sql: "INSERT INTO reservation VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [
                        (5 + number) * 1024, until, bytes, LimitNames(names).data, LimitNames([total]).data,
                        number == 7 ? nil : kept(nonce, number),
                    ])
                try database.execute(
                    sql: """
                        INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, customer_id,
                        application_username, request_id, nonces, digests, offers)
                        VALUES (?, ?, 'com.example.app', 'KEY', 'payload', '0123456789abcdef', 'x', '', 'r', ?, ?, ?)
                        """,
                    arguments: [
                        5 + number, Self.start.milliseconds, bytes, Data(count: 32), #"[["pro","half"]]"#,
                    ])
            }
        }
        try queue.close()
        let ledger = SQLiteLedger(store: try SQLiteStore(path: path, audit: .testing))
        for number in nonces.indices {
            for name in ["a\(number)", "b\(number)"] {
                var reservation = Reservation(
                    scope: .sample, rule: .uses(LimitTerms(redeemed: 1)), names: .sample([name]), madeAt: Self.start,
                    expiresAt: Self.start.advanced(by: Reservation.lifetime), nonce: UUID(), isReuse: true)
                reservation.keep([1])
                guard
                    case .limited(let findings) = try await ledger.record(
                        .sample(taking: [reservation]))
                else { throw StoreError(.damaged, "not limited") }
                guard case .outstanding(let earlier)? = findings.first?.reason else {
                    #expect(number == 7 && findings.count == 1)
                    continue
                }
                #expect(earlier.token == [UInt8(number), 0xFF, 1] && earlier.nonce == nonces[number])
                #expect(earlier.keyID == "KEY" && earlier.signedAt == Self.start)
            }
        }
        func redemption(_ number: Int) -> CountedRedemption {
            CountedRedemption(
                partition: "app", transactionID: "\(number)", version: 1, total: "total", names: ["another"],
                redeemedAt: Self.start,
                isRefunded: false, nonce: nonces[number])
        }
        // They are no longer outstanding, under whatever names they were.
        try await ledger.count([redemption(3)])
        try await ledger.count([redemption(4)])
        func counted(at instant: Instant) async throws -> Int? {
            let reservation = Reservation(
                scope: .sample, rule: .total(0, countsRefunded: true), names: .sample(["total"]), madeAt: instant,
                expiresAt: instant.advanced(by: Reservation.lifetime), nonce: UUID())
            guard
                case .limited(let findings) = try await ledger.record(.sample(taking: [reservation])),
                case .usedUp(let evidence)? = findings.first?.reason
            else { return nil }
            return evidence.counted
        }
        #expect(try await counted(at: Self.start) == 40)
        let end = Self.start.advanced(by: Reservation.lifetime)
        #expect(try await ledger.pruneReservations(now: end.advanced(by: -1), limit: 99) == 0)
        #expect(try await ledger.pruneReservations(now: end, limit: 30) == 30)
        #expect(try await ledger.pruneReservations(now: end, limit: 30) == 8)
        #expect(try await counted(at: Self.start) == 2)
        #expect(try await ledger.record(take("a9")) == .recorded)
    }
}
