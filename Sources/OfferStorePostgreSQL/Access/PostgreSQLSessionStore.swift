public import EligibilityRules
public import OfferStore

/// Sessions of the console in PostgreSQL.
///
/// Each statement is independent, so that sign-ins and sign-outs at several processes do not wait for each other.
public struct PostgreSQLSessionStore: SessionStore {
    private let store: PostgreSQLStore

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Adds a session, and deletes old ones.
    public func add(_ session: SessionRecord, forgettingBefore instant: Instant) async throws(StoreError) {
        try await store.write("keep a session of the console", .latest) { transaction in
            transaction.enqueue(Statement("DELETE FROM console_session WHERE created_at < $1", [.instant(instant)]))
            transaction.enqueue(
                Statement(
                    """
                    INSERT INTO console_session (digest, kind, access_id, created_at, used_at, address, user_agent, proxy_name)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                    """,
                    [
                        .bytes(session.digest), .text(session.kind.rawValue), .text(session.accessID),
                        .instant(session.createdAt), .instant(session.usedAt), .text(session.address),
                        .text(session.userAgent), .text(session.proxyName),
                    ]))
        }
    }

    /// Uses the primary key.
    public func session(digest: [UInt8]) async throws(StoreError) -> SessionRecord? {
        try await store.read("look up a session of the console") { transaction in
            try transaction.run(SessionRecord.selection + " WHERE digest = $1", .bytes(digest)).first(SessionRecord.init)
        }
    }

    /// The sessions of an access key, the latest first.
    public func sessions(accessID: String) async throws(StoreError) -> [SessionRecord] {
        try await store.read("list the sessions of the console") { transaction in
            let sql = SessionRecord.selection + " WHERE access_id = $1 ORDER BY created_at DESC, digest"
            return try transaction.run(sql, .text(accessID)).map(SessionRecord.init)
        }
    }

    /// Notes that a session was used.
    public func noteUse(digest: [UInt8], at instant: Instant) async throws(StoreError) {
        try await store.write("note the use of a session", .latest) { transaction in
            _ = try transaction.run(
                "UPDATE console_session SET used_at = greatest(used_at, $2) WHERE digest = $1", .bytes(digest), .instant(instant))
        }
    }

    /// Deletes a session.
    public func end(digest: [UInt8]) async throws(StoreError) -> Bool {
        try await store.write("end a session of the console", .latest) { transaction in
            try transaction.run("DELETE FROM console_session WHERE digest = $1", .bytes(digest)).changes > 0
        }
    }

    /// Deletes the sessions of an access key.
    public func endAll(accessID: String) async throws(StoreError) -> Int {
        try await store.write("end the sessions of an access key", .latest) { transaction in
            try transaction.run("DELETE FROM console_session WHERE access_id = $1", .text(accessID)).changes
        }
    }
}

extension SessionRecord {
    fileprivate static let selection = """
        SELECT digest, kind, access_id, created_at, used_at, address, user_agent, proxy_name FROM console_session
        """

    fileprivate init(_ row: Row) throws {
        self.init(
            digest: row.bytes(0), kind: try Kind(stored: row.text(1)), accessID: row.text(2), createdAt: row.instant(3),
            usedAt: row.instant(4), address: row.text(5), userAgent: row.text(6), proxyName: row.optionalText(7))
    }
}
