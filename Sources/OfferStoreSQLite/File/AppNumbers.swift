import GRDB
import OfferStore

/// The small numbers that replace bundle ids in large tables.
enum AppNumbers {
    /// The number of an app; nil if nothing was ever stored for it.
    static func existing(_ partition: AppPartition, _ database: Database) throws -> Int64? {
        let statement = try PreparedStatement(database, "SELECT number FROM app WHERE name = ?")
        defer { statement.reset() }
        statement.bind(partition.name, at: 1)
        return try statement.step() ? statement.number(0) : nil
    }

    /// The number of an app, assigned if needed. Called on the writer only.
    static func number(of partition: AppPartition, _ database: Database) throws -> Int64 {
        if let number = try existing(partition, database) { return number }
        try database.execute(sql: "INSERT INTO app (name) VALUES (?)", arguments: [partition.name])
        return database.lastInsertedRowID
    }
}
