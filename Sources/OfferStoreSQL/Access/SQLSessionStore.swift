package import EligibilityRules
package import OfferStore

/// The store of the console's sessions, written once for all databases.
///
/// Each statement is independent, so that sign-ins and sign-outs at several processes do not wait for each other.
package struct SQLSessionStore<Store: SQLStore>: SessionStore {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    package func add(_ session: SessionRecord, forgettingBefore instant: Instant) async throws(StoreError) {
        try await store.write("keep a session of the console", .latest) { transaction in
            try transaction.enqueue("DELETE FROM console_session WHERE created_at < $1", [.instant(instant)])
            try transaction.enqueue(
                """
                INSERT INTO console_session (digest, kind, access_id, created_at, used_at, address, user_agent, proxy_name)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                """,
                [
                    .bytes(session.digest), .text(session.kind.rawValue), .text(session.accessID), .instant(session.createdAt),
                    .instant(session.usedAt), .text(session.address), .text(session.userAgent), .text(session.proxyName),
                ])
        }
    }

    /// Finds rows by the primary key.
    package func session(digest: [UInt8]) async throws(StoreError) -> SessionRecord? {
        try await store.read("look up a session of the console") { transaction in
            try transaction.run(SessionRecord.selection + " WHERE digest = $1", .bytes(digest)).first { try SessionRecord($0) }
        }
    }

    package func sessions(accessID: String) async throws(StoreError) -> [SessionRecord] {
        try await store.read("list the sessions of the console") { transaction in
            let sql = SessionRecord.selection + " WHERE access_id = $1 ORDER BY created_at DESC, digest"
            return try transaction.run(sql, .text(accessID)).map { try SessionRecord($0) }
        }
    }

    package func noteUse(digest: [UInt8], at instant: Instant) async throws(StoreError) {
        try await store.write("note the use of a session", .latest) { transaction in
            try transaction.enqueue(
                "UPDATE console_session SET used_at = $2 WHERE digest = $1 AND used_at < $2", .bytes(digest), .instant(instant))
        }
    }

    package func end(digest: [UInt8]) async throws(StoreError) -> Bool {
        try await store.write("end a session of the console", .latest) { transaction in
            try transaction.run("DELETE FROM console_session WHERE digest = $1", .bytes(digest)).changes > 0
        }
    }

    package func endAll(accessID: String) async throws(StoreError) -> Int {
        try await store.write("end the sessions of an access key", .latest) { transaction in
            try transaction.run("DELETE FROM console_session WHERE access_id = $1", .text(accessID)).changes
        }
    }
}

extension SessionRecord {
    fileprivate static let selection = """
        SELECT digest, kind, access_id, created_at, used_at, address, user_agent, proxy_name FROM console_session
        """

    /// - Parameter row: a row of the `selection`.
    fileprivate init(_ row: some SQLRow) throws {
        self.init(
            digest: row.bytes(0), kind: try Kind(stored: row.text(1)), accessID: row.text(2), createdAt: row.instant(3),
            usedAt: row.instant(4), address: row.text(5), userAgent: row.text(6), proxyName: row.optionalText(7))
    }
}
