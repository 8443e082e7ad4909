import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// Events and deliveries on the writer's connection, within a transaction.
struct EventTables {
    /// The columns that make a delivery, of `event_delivery` joined with `event` and the last attempt.
    static let select = """
        SELECT delivery.number, endpoint, state, delivery.attempts, due_at, event.id, type, event.at, bundle_id,
            event.ordering_key, customer_id, previous_customer_id, data, attempt.at AS attempt_at, milliseconds, status, fault
        FROM event_delivery AS delivery JOIN event ON event.number = delivery.event
        LEFT JOIN event_attempt AS attempt ON attempt.delivery = delivery.number AND attempt.place = (
            SELECT max(place) FROM event_attempt WHERE event_attempt.delivery = delivery.number)
        """

    /// The row of `event_position` that counts erasures.
    static let erasures = "erasures"

    let database: Database

    /// Adds events with their deliveries, due now.
    func insert(_ events: [EventRound.Addressed], _ now: Instant) throws {
        for (event, endpoints) in events {
            try database.cachedStatement(
                sql: """
                    INSERT INTO event (id, type, at, bundle_id, ordering_key, customer_id, previous_customer_id, data)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                event.id.databaseBytes, event.type, event.at.milliseconds, event.partition?.name, event.orderingKey,
                event.customerID, event.previousCustomerID, Data(event.data),
            ])
            let number = database.lastInsertedRowID
            for endpoint in endpoints {
                // It is its turn unless another one of its ordering key is pending.
                try database.cachedStatement(
                    sql: """
                        INSERT INTO event_delivery (event, endpoint, ordering_key, state, attempts, due_at, turn_at)
                        VALUES (?1, ?2, ?3, 'pending', 0, ?4, CASE WHEN NOT EXISTS (
                            SELECT 1 FROM event_delivery WHERE endpoint = ?2 AND ordering_key = ?3 AND turn_at IS NOT NULL
                        ) THEN ?4 END)
                        """
                ).execute(arguments: [number, endpoint, event.orderingKey, now.milliseconds])
            }
        }
    }

    /// Records the result of an attempt at a pending delivery.
    func record(_ outcome: EventAttemptOutcome) throws {
        let attempt = outcome.attempt
        try database.cachedStatement(
            sql: """
                UPDATE event_delivery SET state = ?2, attempts = attempts + 1, due_at = ?3, turn_at = NULL, last_at = ?4
                WHERE number = ?1 AND state = 'pending'
                """
        ).execute(arguments: [
            outcome.number, outcome.state.rawValue, outcome.dueAt?.milliseconds, attempt.at.milliseconds,
        ])
        guard database.changesCount > 0 else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO event_attempt (delivery, place, at, milliseconds, status, fault)
                SELECT ?1, coalesce(max(place), 0) + 1, ?2, ?3, ?4, ?5 FROM event_attempt WHERE delivery = ?1
                """
        ).execute(arguments: [
            outcome.number, attempt.at.milliseconds, attempt.milliseconds, attempt.status, attempt.fault,
        ])
        try giveTurn(besides: outcome.number)
    }

    /// Makes a delivery pending again. Returns whether there is one.
    func replay(_ number: Int64, at now: Instant) throws -> Bool {
        try database.cachedStatement(
            sql: "UPDATE event_delivery SET state = 'pending', attempts = 0, due_at = ? WHERE number = ?"
        ).execute(arguments: [now.milliseconds, number])
        guard database.changesCount > 0 else { return false }
        try giveTurn(besides: number)
        return true
    }

    /// Gives the turn to the oldest pending delivery of the endpoint and the ordering key that a delivery has.
    private func giveTurn(besides number: Int64) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT endpoint, ordering_key FROM event_delivery WHERE number = ?"),
            arguments: [number])!
        let line: StatementArguments = [row["endpoint"] as String, row["ordering_key"] as String]
        try database.cachedStatement(
            sql: "UPDATE event_delivery SET turn_at = NULL WHERE endpoint = ? AND ordering_key = ? AND turn_at IS NOT NULL"
        ).execute(arguments: line)
        try database.cachedStatement(
            sql: """
                UPDATE event_delivery SET turn_at = due_at WHERE number = (
                    SELECT min(number) FROM event_delivery WHERE endpoint = ? AND ordering_key = ? AND state = 'pending')
                """
        ).execute(arguments: line)
    }

    /// Deletes old deliveries that have ended or have no endpoint, and events without deliveries. Returns the number of
    /// deliveries.
    func prune(before instant: Instant, keeping endpoints: [String], limit: Int) throws -> Int {
        let sql = """
            SELECT * FROM (
                SELECT number, event FROM event_delivery WHERE state <> 'pending' AND last_at < ?1 ORDER BY last_at LIMIT ?2)
            UNION ALL SELECT * FROM (
                SELECT delivery.number, event FROM event_delivery AS delivery JOIN event ON event.number = event
                WHERE state = 'pending' AND endpoint NOT IN (SELECT value FROM json_each(?3)) AND event.at < ?1 LIMIT ?2)
            """
        let rows = try Row.fetchAll(database, sql: sql, arguments: [instant.milliseconds, limit, endpoints.json])
        for row in rows {
            let (number, event) = (row["number"] as Int64, row["event"] as Int64)
            try database.cachedStatement(sql: "DELETE FROM event_attempt WHERE delivery = ?").execute(arguments: [number])
            try database.cachedStatement(sql: "DELETE FROM event_delivery WHERE number = ?").execute(arguments: [number])
            try database.cachedStatement(
                sql: "DELETE FROM event WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM event_delivery WHERE event = ?1)"
            ).execute(arguments: [event])
        }
        return rows.count
    }

    /// Blanks the events of an app that name one of these ids. Returns how many.
    func erase(_ ids: Set<String>, bundleID: String) throws -> Int {
        try database.execute(sql: "PRAGMA secure_delete = ON")
        defer { try? database.execute(sql: "PRAGMA secure_delete = OFF") }
        let partitions = AppPartition.environments(of: bundleID)
        let keys = partitions.flatMap { partition in ids.map(partition.orderingKey) }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT number, ordering_key FROM event WHERE bundle_id IN (SELECT value FROM json_each(?1))
                    AND (customer_id IN (SELECT value FROM json_each(?2)) OR ordering_key IN (SELECT value FROM json_each(?3)))
                """,
            arguments: [partitions.map(\.name).json, ids.sorted().json, keys.sorted().json])
        var pseudonyms: [String: String] = [:]
        for row in rows {
            let (number, key) = (row["number"] as Int64, row["ordering_key"] as String)
            let pseudonym = pseudonyms[key] ?? "erased/\(UUID())"
            pseudonyms[key] = pseudonym
            try database.execute(
                sql: "UPDATE event SET customer_id = NULL, ordering_key = ?, data = ? WHERE number = ?",
                arguments: [pseudonym, Data(ServiceEvent.blank), number])
            try database.execute(
                sql: "UPDATE event_delivery SET ordering_key = ? WHERE event = ?", arguments: [pseudonym, number])
        }
        try database.execute(
            sql: """
                UPDATE event SET previous_customer_id = NULL, data = ?3 WHERE bundle_id IN (SELECT value FROM json_each(?1))
                    AND previous_customer_id IN (SELECT value FROM json_each(?2))
                """, arguments: [partitions.map(\.name).json, ids.sorted().json, Data(ServiceEvent.blank)])
        let moved = database.changesCount
        // A collection under way has read what is erased.
        try database.execute(
            sql: "UPDATE event_position SET position = position + 1 WHERE source = ?", arguments: [Self.erasures])
        return rows.count + moved
    }
}

extension EventDelivery {
    /// Reads the columns of `EventTables.select`.
    init(row: Row) throws {
        guard let state = State(rawValue: row["state"]), let id = UUID(databaseBytes: row["id"]) else {
            throw StoreError(.damaged, "a delivery of an event cannot be read")
        }
        let event = ServiceEvent(
            id: id, type: row["type"], at: Instant(milliseconds: row["at"]),
            partition: (row["bundle_id"] as String?).map(AppPartition.init(name:)), orderingKey: row["ordering_key"],
            customerID: row["customer_id"], previousCustomerID: row["previous_customer_id"], data: Array(row["data"] as Data))
        let attempt = (row["attempt_at"] as Int64?).map { at in
            EventAttempt(
                at: Instant(milliseconds: at), milliseconds: row["milliseconds"], status: row["status"], fault: row["fault"])
        }
        self.init(
            number: row["number"], endpoint: row["endpoint"], event: event, state: state, attempts: row["attempts"],
            dueAt: (row["due_at"] as Int64?).map(Instant.init(milliseconds:)), lastAttempt: attempt)
    }
}
