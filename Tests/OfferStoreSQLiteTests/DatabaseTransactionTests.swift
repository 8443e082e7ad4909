import GRDB
import Testing

@testable import OfferStoreSQLite

@Suite("A transaction")
struct DatabaseTransactionTests {
    private static let table = "CREATE TABLE thing (id INTEGER PRIMARY KEY)"

    @Test(
        "A write that fails leaves nothing, says what failed first, and the next one is whole",
        arguments: ["ABORT", "ROLLBACK"])
    func failure(way: String) throws {
        try DatabaseQueue().writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    \(Self.table);
                    CREATE TRIGGER fail BEFORE INSERT ON thing WHEN new.id = 3 BEGIN SELECT RAISE(\(way), 'planned'); END
                    """)
            func insert(_ ids: Int64...) throws {
                try database.inImmediateTransaction { database in
                    let insert = try PreparedStatement(database, "INSERT INTO thing VALUES (?)")
                    for id in ids {
                        insert.bind(id, at: 1)
                        try insert.run()
                    }
                }
            }
            try insert(1)
            // With the second way SQLite has rolled back by itself.
            let error = #expect(throws: StatementFailure.self) { try insert(2, 3) }
            #expect(error?.message == "planned")
            #expect(!database.isInsideTransaction)
            try insert(4)
            #expect(try Int64.fetchAll(database, sql: "SELECT id FROM thing ORDER BY id") == [1, 4])
        }
    }

    @Test("A failure of the closure's own rolls back, too")
    func ownFailure() throws {
        struct Planned: Error {}
        try DatabaseQueue().writeWithoutTransaction { database in
            try database.execute(sql: Self.table)
            #expect(throws: Planned.self) {
                try database.inImmediateTransaction { database in
                    try database.execute(sql: "INSERT INTO thing VALUES (1)")
                    throw Planned()
                }
            }
            #expect(!database.isInsideTransaction)
            #expect(try Int64.fetchAll(database, sql: "SELECT id FROM thing") == [])
        }
    }
}
