import GRDB
import Testing

@testable import OfferStoreSQLite

@Suite("Prepared statements")
struct PreparedStatementTests {
    private static let table = "CREATE TABLE value (number INTEGER, text TEXT, bytes BLOB, other TEXT)"
    private static let insert = "INSERT INTO value VALUES (?, ?, ?, ?)"

    @Test("What is bound arrives, however much it is", arguments: [0, 1, 511, 512, 513, 5000, 100_000])
    func lengths(length: Int) throws {
        let text = String(repeating: "é", count: length)
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        try DatabaseQueue().write { database in
            try database.execute(sql: Self.table)
            let insert = try PreparedStatement(database, Self.insert)
            for number in Int64(0)..<3 {
                insert.bind(number, at: 1)
                insert.bind(text, at: 2)
                insert.bind(bytes, at: 3)
                insert.bind("\(number)", at: 4)
                try insert.run()
            }
            let select = try PreparedStatement(database, "SELECT * FROM value WHERE text = ? ORDER BY number")
            select.bind(text, at: 1)
            for number in Int64(0)..<3 {
                #expect(try select.step())
                #expect(select.number(0) == number)
                #expect(select.isText(1, text))
                #expect(!select.isNull(2))
                #expect(select.withBytes(2) { Array($0) } == bytes)
                #expect(select.text(3) == "\(number)")
            }
            #expect(try !select.step())
            select.reset()
        }
    }

    @Test("What is not there is NULL, also after something was")
    func null() throws {
        try DatabaseQueue().write { database in
            try database.execute(sql: Self.table)
            let insert = try PreparedStatement(database, Self.insert)
            insert.bind("text", at: 2)
            insert.bind([1], at: 3)
            try insert.run()
            insert.bind(nil as Int64?, at: 1)
            insert.bind(nil as String?, at: 2)
            try insert.run()
            #expect(try Row.fetchAll(database, sql: "SELECT * FROM value WHERE text IS NULL AND bytes IS NULL").count == 1)
        }
    }

    @Test("A statement that was given up with values bound leaves none to the next")
    func givenUp() throws {
        try DatabaseQueue().write { database in
            try database.execute(sql: Self.table)
            try PreparedStatement(database, Self.insert).bind(String(repeating: "a", count: 5000), at: 2)
            let insert = try PreparedStatement(database, Self.insert)
            insert.bind(1, at: 1)
            try insert.run()
            #expect(try String.fetchOne(database, sql: "SELECT text FROM value WHERE number = 1") == nil)
        }
    }

    @Test("A failure says what SQLite says")
    func failures() throws {
        try DatabaseQueue().write { database in
            try database.execute(sql: "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
            let insert = try PreparedStatement(database, "INSERT INTO thing VALUES (?, ?)")
            func failure(_ id: Int64, _ name: String?) -> StatementFailure? {
                insert.bind(id, at: 1)
                insert.bind(name, at: 2)
                do { try insert.run() } catch { return error }
                return nil
            }
            #expect(failure(1, "one") == nil)
            #expect(failure(1, "two")?.message == "UNIQUE constraint failed: thing.id")
            #expect(failure(2, nil)?.message == "NOT NULL constraint failed: thing.name")
        }
    }
}
