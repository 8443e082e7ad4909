import Foundation
import OfferStore

@testable import OfferStorePostgreSQL

/// The PostgreSQL that the tests are given.
enum TestDatabase {
    /// A connection string; nil without one.
    static var address: String? { ProcessInfo.processInfo.environment["TEST_POSTGRESQL"] }

    /// Whether there is one.
    static var isThere: Bool { address != nil }

    /// The address of a new schema in it.
    static func newSchema() throws -> String {
        let name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
        let thread = SessionThread(address!, label: "test")
        try thread.sync { thread throws(StoreError) in
            try thread.transaction("make a schema", .latest) { _ = try $0.run("CREATE SCHEMA \(name)") }
        }
        thread.close()
        return address! + " options='-c search_path=\(name)'"
    }

    /// Makes the schema of an earlier version.
    static func migrate(_ address: String, to version: Int, _ fill: (Transaction) throws -> Void = { _ in }) throws {
        let thread = SessionThread(address, label: "test")
        defer { thread.close() }
        try thread.sync { thread throws(StoreError) in
            try thread.transaction("make an earlier schema", .latest) { transaction in
                for statement in PostgreSQLMigrations.versions.prefix(version).joined() { _ = try transaction.run(statement) }
                _ = try transaction.run(PostgreSQLMigrations.versionTable)
                _ = try transaction.run("INSERT INTO schema_version VALUES ($1)", .number(Int64(version)))
                try fill(transaction)
            }
        }
    }
}
