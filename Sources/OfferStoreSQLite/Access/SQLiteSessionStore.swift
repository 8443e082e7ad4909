public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

/// Sessions of the console in SQLite.
public struct SQLiteSessionStore: SessionStore {
    private let store: SQLiteStore

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// Adds a session, and deletes old ones.
    public func add(_ session: SessionRecord, forgettingBefore instant: Instant) async throws(StoreError) {
        try await store.write("keep a session of the console") { database in
            try database.execute(sql: "DELETE FROM console_session WHERE created_at < ?", arguments: [instant.milliseconds])
            try database.execute(
                sql: "INSERT INTO console_session VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    Data(session.digest), session.kind.rawValue, session.accessID, session.createdAt.milliseconds,
                    session.usedAt.milliseconds, session.address, session.userAgent, session.proxyName,
                ])
        }
    }

    /// Uses the primary key.
    public func session(digest: [UInt8]) async throws(StoreError) -> SessionRecord? {
        try await store.read("look up a session of the console") { database in
            try Row.fetchOne(database, sql: "SELECT * FROM console_session WHERE digest = ?", arguments: [Data(digest)])
                .map(SessionRecord.init)
        }
    }

    /// The sessions of an access key, the latest first.
    public func sessions(accessID: String) async throws(StoreError) -> [SessionRecord] {
        try await store.read("list the sessions of the console") { database in
            let sql = "SELECT * FROM console_session WHERE access_id = ? ORDER BY created_at DESC, digest"
            return try Row.fetchAll(database, sql: sql, arguments: [accessID]).map(SessionRecord.init)
        }
    }

    /// Notes that a session was used.
    public func noteUse(digest: [UInt8], at instant: Instant) async throws(StoreError) {
        try await store.write("note the use of a session") { database in
            try database.execute(
                sql: "UPDATE console_session SET used_at = max(used_at, ?) WHERE digest = ?",
                arguments: [instant.milliseconds, Data(digest)])
        }
    }

    /// Deletes a session.
    public func end(digest: [UInt8]) async throws(StoreError) -> Bool {
        try await store.write("end a session of the console") { database in
            try database.execute(sql: "DELETE FROM console_session WHERE digest = ?", arguments: [Data(digest)])
            return database.changesCount > 0
        }
    }

    /// Deletes the sessions of an access key.
    public func endAll(accessID: String) async throws(StoreError) -> Int {
        try await store.write("end the sessions of an access key") { database in
            try database.execute(sql: "DELETE FROM console_session WHERE access_id = ?", arguments: [accessID])
            return database.changesCount
        }
    }
}

extension SessionRecord {
    fileprivate init(row: Row) throws {
        self.init(
            digest: Array(row["digest"] as Data), kind: try Kind(stored: row["kind"]), accessID: row["access_id"],
            createdAt: Instant(milliseconds: row["created_at"]), usedAt: Instant(milliseconds: row["used_at"]),
            address: row["address"], userAgent: row["user_agent"], proxyName: row["proxy_name"])
    }
}
