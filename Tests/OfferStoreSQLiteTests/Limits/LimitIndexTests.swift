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
            taking: [.sample(name, LimitTerms(outstanding: 1, redeemed: 1), at: Self.start)],
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
}
