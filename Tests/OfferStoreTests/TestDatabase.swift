import Foundation
import OfferStore
import OfferStoreSQL

@testable import OfferStorePostgreSQL

/// The PostgreSQL that the tests are given.
enum TestDatabase {
    /// A connection string; nil without one.
    static var address: String? { ProcessInfo.processInfo.environment["TEST_POSTGRESQL"] }

    /// Whether there is one.
    static var isThere: Bool { address != nil }

    /// A name that no other schema or database has.
    static func newName() -> String { "test_" + UUID().uuidString.replacing("-", with: "").lowercased() }

    /// The address of a new schema in a database, by default in the common one.
    static func newSchema(in database: String? = address) throws -> String {
        let name = newName()
        let thread = SessionThread(database!, label: "test")
        try thread.sync { thread throws(StoreError) in
            try thread.transaction("make a schema", .latest) { _ = try $0.run("CREATE SCHEMA \(name)") }
        }
        thread.close()
        return database! + " options='-c search_path=\(name)'"
    }

    /// Makes the schema, and fills it before a store opens it.
    static func fill(_ address: String, _ body: (Transaction) throws -> Void) throws {
        let thread = SessionThread(address, label: "test")
        defer { thread.close() }
        try thread.sync { thread throws(StoreError) in
            try thread.transaction("make a schema", .latest) { transaction in
                try PostgreSQLMigrations.own.run(transaction)
                try body(transaction)
            }
        }
    }

    /// A release that has one more migration than this one.
    static func laterRelease() -> PostgreSQLMigrations {
        PostgreSQLMigrations([PostgreSQLTables.all, ["ALTER TABLE nonce_series ADD COLUMN made_up int8"]])
    }
}
