public import EligibilityRules
public import OfferStore
import OfferStoreSQL

/// The replicas of a database, one row each.
public struct PostgreSQLReplicaStore: ReplicaStore {
    private let store: PostgreSQLStore
    private let now: (@Sendable () -> Instant)?

    /// Shares the store's sessions with the other stores.
    ///
    /// - Parameter now: returns the time; nil uses the database's clock.
    public init(_ store: PostgreSQLStore, now: (@Sendable () -> Instant)? = nil) { (self.store, self.now) = (store, now) }

    /// Does not wait for a standby: if a failover loses a heartbeat, the next one follows soon.
    ///
    /// It also ends the sessions of silent processes that keep others waiting.
    public func beat(_ replica: Replica) async throws(StoreError) -> ReplicaRoll {
        try await store.writeSeparately("note that this replica lives") { [now] transaction in
            try transaction.enqueue("SET LOCAL synchronous_commit = off")
            transaction.enqueue(.endSilentSessions)
            try transaction.enqueue(
                """
                INSERT INTO replica (id, address, version, started_at, configuration, keys, clock_offset, heartbeat_at)
                SELECT $1, $2, $3, $4, $5, $6, $7, \(Self.time(8))
                ON CONFLICT (id) DO UPDATE
                SET configuration = excluded.configuration, keys = excluded.keys, clock_offset = excluded.clock_offset, heartbeat_at = excluded.heartbeat_at
                """, .text(replica.id), .text(replica.address), .text(replica.version), .instant(replica.startedAt),
                .text(replica.configurationDigest),
                .text(replica.keys.map { "\($0.id) \($0.fingerprint)" }.joined(separator: "\n")),
                .number(replica.clockOffset), .instant(now?()))
            // A restarted replica replaces the dead one at its address.
            try transaction.enqueue(
                """
                DELETE FROM replica WHERE heartbeat_at <= \(Self.time(1)) - \(ReplicaRoll.memory)
                OR (address = $2 AND id <> $3 AND heartbeat_at <= \(Self.time(1)) - \(ReplicaRoll.lifetime))
                """, .instant(now?()), .text(replica.address), .text(replica.id))
            return try Self.roll(transaction, now?())
        }
    }

    /// Deletes the replica's row.
    public func leave(_ id: String) async throws(StoreError) {
        try await store.writeSeparately("sign this replica off") { transaction in
            try transaction.enqueue("SET LOCAL synchronous_commit = off")
            try transaction.enqueue("DELETE FROM replica WHERE id = $1", .text(id))
        }
    }

    /// Reads all rows and the time.
    public func roll() async throws(StoreError) -> ReplicaRoll {
        try await store.read("look which replicas live") { [now] transaction in try Self.roll(transaction, now?()) }
    }

    private static func roll(_ transaction: Transaction, _ now: Instant?) throws -> ReplicaRoll {
        let sql = """
            SELECT \(time(1)), id, address, version, started_at, configuration, keys, clock_offset, heartbeat_at
            FROM (SELECT) AS one LEFT JOIN replica ON true
            """
        let rows = try transaction.run(sql, .instant(now))
        let entries = rows.map { row in
            row.optionalText(1).map { id in
                ReplicaRoll.Entry(
                    replica: Replica(
                        id: id, address: row.text(2), version: row.text(3), startedAt: row.instant(4),
                        configurationDigest: row.text(5), keys: keys(row.text(6)), clockOffset: row.optionalNumber(7)),
                    lastHeartbeatAt: row.instant(8))
            }
        }.compactMap(\.self)
        return ReplicaRoll(now: rows.first { $0.instant(0) }!, entries: entries)
    }

    private static func keys(_ text: String) -> [Replica.Key] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count >= 2 else { return nil }
            return Replica.Key(id: String(parts[0]), fingerprint: String(parts[1]))
        }
    }

    /// The time in a parameter or, if it is NULL, the database's time, in ms.
    private static func time(_ parameter: Int) -> String {
        "coalesce($\(parameter)::int8, (extract(epoch FROM clock_timestamp()) * 1000)::int8)"
    }
}
