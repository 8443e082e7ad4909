package import OfferStore

/// A transaction of either database.
package protocol SQLTransaction {
    associatedtype Rows: SQLRows

    /// The pieces of SQL in which the database differs from others.
    static var dialect: SQLDialect { get }

    func run(_ sql: String, _ values: [SQLValue]) throws -> Rows

    /// Runs statements in one round trip. Returns the rows of each.
    func results(of statements: [SQLStatement]) throws -> [Rows]

    /// Runs `body`, which removes personal data.
    ///
    /// If the database's file would keep the removed bytes, they are overwritten.
    func overwriting<Value>(_ body: () throws -> Value) throws -> Value

    /// Runs a statement together with the next `run` or the commit. Its rows are discarded.
    func enqueue(_ sql: String, _ values: [SQLValue]) throws

    /// The number of an app; nil if nothing was ever stored for it.
    func number(of partition: AppPartition) throws -> Int64?

    /// The number of an app, assigned if needed.
    func takeNumber(of partition: AppPartition) throws -> Int64
}

extension SQLTransaction {
    package func run(_ sql: String, _ values: SQLValue...) throws -> Rows { try run(sql, values) }

    /// Runs a statement together with the next `run` or the commit. Its rows are discarded.
    package func enqueue(_ sql: String, _ values: SQLValue...) throws { try enqueue(sql, values) }

    /// Makes every process reload its data of a topic once the transaction is durable.
    package func noteChange(of topic: ChangeTopic) throws {
        try enqueue("UPDATE revision SET number = number + 1 WHERE topic = $1", .text(topic.rawValue))
    }

    /// The secret of this name. If there is none, the first process stores what `make` returns.
    package func secret(named name: String, make: () throws -> [UInt8]) throws -> [UInt8] {
        func existing() throws -> [UInt8]? {
            try run("SELECT value FROM secret WHERE name = $1", .text(name)).first { $0.bytes(0) }
        }
        if let secret = try existing() { return secret }
        // The insertion waits for that of another process, so the next statement sees its secret.
        try enqueue("INSERT INTO secret VALUES ($1, $2) ON CONFLICT DO NOTHING", .text(name), .bytes(try make()))
        guard let secret = try existing() else {
            throw StoreError(.unavailable, "another process has just taken the secret “\(name)” away")
        }
        return secret
    }
}

/// Writes the audit log within a transaction.
package protocol SQLAuditWriter<Audited> {
    associatedtype Audited: SQLTransaction

    var functions: AuditFunctions { get }

    /// Adds events whose actors were checked before, as `record` does.
    func insert(_ events: [AuditEvent], _ transaction: Audited) throws
}

extension SQLAuditWriter {
    /// Adds events.
    ///
    /// Throws `actorRevoked` if an access key that acts was revoked meanwhile.
    ///
    /// The process need not know of the revocation yet, for example if it was stopped for a while.
    package func record(_ events: [AuditEvent], _ transaction: Audited) throws {
        let actors = Set(events.filter { !$0.isOfOwnEnd }.map(\.actor))
        let revoked = try transaction.run(
            "SELECT id FROM access WHERE id \(Audited.dialect.isAny("$1")) AND revoked_at IS NOT NULL", .texts(actors.sorted()))
        if let id = revoked.first({ $0.text(0) }) { throw StoreError(actorRevoked: id) }
        try insert(events, transaction)
    }
}
