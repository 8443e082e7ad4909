import Foundation
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("What a session is set to", .enabled(if: TestDatabase.isThere))
struct SessionSettingsTests {
    /// Settings under which promises would break.
    private static let hostile = [
        "client_min_messages": "error", "synchronous_commit": "off", "idle_in_transaction_session_timeout": "0",
        "lock_timeout": "0", "statement_timeout": "1000", "standard_conforming_strings": "off", "datestyle": "SQL",
        "timezone": "Asia/Tokyo", "row_security": "on", "client_encoding": "LATIN1",
    ]

    private func settings(_ session: Session) throws -> [String: String] {
        let rows = try session.run([SQLStatement("SELECT name, setting FROM pg_settings")])[0]
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
    }

    private func expectSafe(_ address: String) throws {
        for isReader in [false, true] {
            let session = try Session(address, patience: .seconds(10), isReader: isReader)
            let found = try settings(session)
            #expect(found["lock_timeout"] == "8000")
            #expect(found["statement_timeout"] == (isReader ? "9000" : "0"))
            #expect(found["idle_in_transaction_session_timeout"] == (isReader ? "600000" : "\(SessionSettings.maxIdle)"))
            #expect(found["synchronous_commit"] == "on")
            #expect(found["client_min_messages"] == "warning")
            #expect(found["standard_conforming_strings"] == "on")
            #expect(found["row_security"] == "off")
            #expect(found["client_connection_check_interval"] == "1000")
            let row = try session.run([SQLStatement("SELECT $1, now()::text, '\\'", [.text("é\u{10FFFF}")])])[0]
            #expect(row.first { $0.text(0) == "é\u{10FFFF}" && $0.text(1).hasSuffix("+00") && $0.text(2) == "\\" } == true)
        }
    }

    @Test("Neither the connection string nor the role nor the database weakens it")
    func hostile() throws {
        let name = "hostile_" + UUID().uuidString.replacing("-", with: "").lowercased()
        let thread = SessionThread(TestDatabase.address!, label: "test")
        defer { thread.close() }
        func run(_ sql: String) throws {
            try thread.sync { thread throws(StoreError) in
                try thread.transaction("prepare", .latest) { _ = try $0.run(sql) }
            }
        }
        let options = Self.hostile.map { "-c \($0)=\($1)" }.joined(separator: " ")
        try expectSafe("\(TestDatabase.address!) options='\(options)'")
        try run("CREATE ROLE \(name) LOGIN")
        for (setting, value) in Self.hostile where setting != "client_encoding" {
            try run("ALTER ROLE \(name) SET \(setting) = '\(value)'")
            try run("ALTER ROLE \(name) IN DATABASE postgres SET \(setting) = '\(value)'")
        }
        try run("ALTER ROLE \(name) SET search_path = \"$user\", public, pg_catalog")
        try expectSafe("\(TestDatabase.address!) user=\(name)")
        // Of the search path only the schema stays, and a temporary table hides no table.
        let session = try Session("\(TestDatabase.address!) user=\(name)", patience: .seconds(10))
        #expect(try settings(session)["search_path"] == "public, pg_temp")
        try run("ALTER ROLE \(name) SET session_replication_role = replica")
        #expect(throws: StoreError(.unsuitable, "")) {
            try Session("\(TestDatabase.address!) user=\(name)", patience: .seconds(10))
        }
        try run("DROP ROLE \(name)")
    }

    @Test("A setting that is not in force is named")
    func named() throws {
        let settings = SessionSettings(patience: .seconds(10), isReader: false)
        let session = try Session(TestDatabase.address!, patience: .seconds(10))
        let found = try self.settings(session)
        try settings.check(found)
        for name in [
            "lock_timeout", "idle_in_transaction_session_timeout", "statement_timeout", "synchronous_commit",
            "client_min_messages", "client_encoding", "server_encoding", "session_replication_role",
        ] {
            var other = found
            other[name] = "other"
            let error = #expect(throws: StoreError.self) { try settings.check(other) }
            #expect(error?.code == .unsuitable && error?.detail.contains(name) == true)
        }
    }

    @Test("A migration that waits for another session says for which")
    func migration() throws {
        let address = try TestDatabase.newSchema()
        try PostgreSQLStore(address, readers: 1).close()
        let session = try Session("\(address) application_name=dump", patience: .seconds(60), isReader: true)
        let holder = Transaction(session, .latest)
        _ = try holder.run("SELECT count(*) FROM nonce_series")
        let error = #expect(throws: StoreError(.locked, "")) {
            try PostgreSQLStore.migrate(address, TestDatabase.laterRelease())
        }
        #expect(error?.detail.contains("\(session.processID) (dump") == true)
        try holder.commit()
        try PostgreSQLStore.migrate(address, TestDatabase.laterRelease())
    }
}
