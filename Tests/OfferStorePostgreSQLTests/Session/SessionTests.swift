import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("Sessions with PostgreSQL", .enabled(if: TestDatabase.isThere))
struct SessionTests {
    private func session() throws -> Session { try Session(TestDatabase.address!, patience: .seconds(60)) }

    @Test("Values arrive as they were sent")
    func values() throws {
        let session = try session()
        let row = try session.run([
            SQLStatement(
                "SELECT $1::int8, $2::text, $3::bytea, $4::boolean, $5::int8, $6::text, $7::bytea",
                [
                    .number(.min), .text("e\u{301}\u{10FFFF}"), .bytes([0, 255]), .flag(true), .number(nil), .text(nil),
                    .bytes(nil),
                ])
        ])[0]
        row.forEach { row in
            #expect(row.number(0) == .min)
            #expect(ExactText(row.text(1)) == ExactText("e\u{301}\u{10FFFF}"))
            #expect(row.bytes(2) == [0, 255])
            #expect(row.flag(3))
            #expect((4...6).allSatisfy { row.isNull($0) })
        }
        let rows = try session.run([
            SQLStatement(
                "SELECT * FROM unnest($1::int8[], $2::text[], $3::bytea[], $4::boolean[])",
                [.numbers([1, nil, -1]), .texts(["", nil, "b"]), .blobs([[], nil, [7]]), .flags([true, false, true])])
        ])[0]
        #expect(rows.map { $0.optionalNumber(0) } == [1, nil, -1])
        #expect(rows.map { $0.optionalText(1) } == ["", nil, "b"])
        #expect(rows.map { $0.isNull(2) ? nil : $0.bytes(2) } == [[], nil, [7]])
        #expect(rows.map { $0.flag(3) } == [true, false, true])
        let none = try session.run([SQLStatement("SELECT * FROM unnest($1::int8[], $2::text[])", [.numbers([]), .texts([])])])
        #expect(none[0].count == 0)
    }

    @Test("After a failure the later statements have not run, and the session goes on")
    func failure() throws {
        let session = try session()
        _ = try session.run([SQLStatement("CREATE TEMPORARY TABLE seen (number int8)")])
        func insert(_ number: Int64) -> SQLStatement { SQLStatement("INSERT INTO seen VALUES ($1)", [.number(number)]) }
        for _ in 0..<2 {
            let failure = #expect(throws: PostgreSQLFailure.self) {
                try session.run([insert(1), SQLStatement("SELECT 1 / $1::int8", [.number(0)]), insert(2)])
            }
            #expect(failure?.sqlState == "22012")
            #expect(failure?.isOfConnection == false && failure?.isOfConcurrency == false)
        }
        #expect(throws: PostgreSQLFailure.self) { try session.run([SQLStatement("SELEKT")]) }
        #expect(try session.run([SQLStatement("SELECT number FROM seen")])[0].count == 0)
        _ = try session.run([insert(3)])
        #expect(try session.run([SQLStatement("SELECT number FROM seen")])[0].map { $0.number(0) } == [3])
    }

    @Test("What is sent and what is answered may both be larger than any buffer between")
    func large() throws {
        let session = try session()
        let blob = [UInt8](repeating: 7, count: 4 << 20)
        let before = session.roundTrips
        let rows = try session.run((0..<8).map { _ in SQLStatement("SELECT $1::bytea", [.bytes(blob)]) })
        #expect(rows.count == 8 && rows.allSatisfy { $0.first { $0.bytes(0) == blob } ?? false })
        #expect(session.roundTrips == before + 1)
    }

    @Test("The server gives a query up that takes too long, and one that may take long goes on")
    func tooLong() throws {
        let thread = SessionThread(TestDatabase.address!, label: "test", patience: .seconds(1), isReader: true)
        defer { thread.close() }
        let sleep = "SELECT pg_sleep(1.5) IS NULL, pg_backend_pid()::int8"
        let error = #expect(throws: StoreError.self) {
            try thread.sync { thread throws(StoreError) in
                try thread.transaction("sleep", .snapshot) { _ = try $0.run(sleep) }
            }
        }
        #expect(error?.detail.contains("57014") == true)
        let isDone = try thread.sync { thread throws(StoreError) in
            try thread.transaction("sleep", .snapshot) { transaction in
                transaction.waitLong()
                return try transaction.run(sleep).count == 1
            }
        }
        #expect(isDone)
    }

    @Test("A missing server is reported, without the password")
    func away() {
        let address = "host=/nowhere user=offersigner password=hunter2"
        let error = #expect(throws: StoreError.self) { try PostgreSQLStore(address, readers: 1) }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("/nowhere") == true && error?.detail.contains("hunter2") == false)
    }
}
