import EligibilityRules
import FoundationEssentials
import OfferStore

/// Events and deliveries within a transaction that holds their lock.
struct EventTables {
    /// The source of changes of histories, whose position counts the collections.
    static let purchases = "purchase_event"
    /// The row of `event_position` that every change of deliveries locks.
    static let lockName = "lock"

    let transaction: Transaction

    /// Waits for other changes of deliveries to end. Otherwise one could end a delivery whose successor another one adds, and
    /// neither would give the successor its turn.
    func lock() throws {
        transaction.enqueue(
            Statement("INSERT INTO event_position VALUES ($1, 0, 0) ON CONFLICT DO NOTHING", [.text(Self.lockName)]))
        _ = try transaction.run(
            "SELECT position FROM event_position WHERE source = $1 FOR NO KEY UPDATE", .text(Self.lockName))
    }

    /// Adds events with their deliveries, due now.
    func insert(_ events: [EventRound.Addressed], _ now: Instant) throws {
        guard !events.isEmpty else { return }
        let all = events.map(\.event)
        // Identity numbers are given in the order of the subquery.
        let numbers = try transaction.run(
            """
            INSERT INTO event (id, type, at, bundle_id, ordering_key, customer_id, previous_customer_id, data)
            SELECT id, type, at, bundle_id, ordering_key, customer_id, previous_customer_id, data
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8) WITH ORDINALITY
                AS new (id, type, at, bundle_id, ordering_key, customer_id, previous_customer_id, data, place)
            ORDER BY place RETURNING number
            """, .blobs(all.map { event in withUnsafeBytes(of: event.id.uuid) { Array($0) } }), .texts(all.map(\.type)),
            .numbers(all.map(\.at.milliseconds)), .texts(all.map { $0.partition?.name }), .texts(all.map(\.orderingKey)),
            .texts(all.map(\.customerID)), .texts(all.map(\.previousCustomerID)), .blobs(all.map(\.data))
        ).map { $0.number(0) }
        let deliveries = zip(numbers.sorted(), events).flatMap { number, event in
            event.endpoints.map { (number: number, endpoint: $0, key: event.event.orderingKey) }
        }
        _ = try transaction.run(
            """
            INSERT INTO event_delivery (event, endpoint, ordering_key, state, attempts, due_at)
            SELECT event, endpoint, ordering_key, 'pending', 0, $4::int8 FROM unnest($1, $2, $3)
                WITH ORDINALITY AS new (event, endpoint, ordering_key, place) ORDER BY place
            """, .numbers(deliveries.map(\.number)), .texts(deliveries.map(\.endpoint)), .texts(deliveries.map(\.key)),
            .instant(now))
        try giveTurns(deliveries.map { ($0.endpoint, $0.key) })
    }

    /// Records the results of attempts at pending deliveries.
    func record(_ outcomes: [EventAttemptOutcome]) throws {
        let updates = outcomes.map { outcome in
            Statement(
                """
                UPDATE event_delivery SET state = $2, attempts = attempts + 1, due_at = $3, turn_at = NULL, last_at = $4
                WHERE number = $1 AND state = 'pending' RETURNING endpoint, ordering_key
                """,
                [
                    .number(outcome.number), .text(outcome.state.rawValue), .instant(outcome.dueAt), .instant(outcome.attempt.at),
                ])
        }
        var lines: [(endpoint: String, key: String)] = []
        for (outcome, rows) in zip(outcomes, try transaction.run(updates)) {
            guard let line = rows.first({ (endpoint: $0.text(0), key: $0.text(1)) }) else { continue }
            let attempt = outcome.attempt
            lines.append(line)
            transaction.enqueue(
                Statement(
                    """
                    INSERT INTO event_attempt (delivery, place, at, milliseconds, status, fault)
                    SELECT $1::int8, coalesce(max(place), 0) + 1, $2::int8, $3::int8, $4::int8, $5::text
                    FROM event_attempt WHERE delivery = $1
                    """,
                    [
                        .number(outcome.number), .instant(attempt.at), .number(attempt.milliseconds),
                        .number(attempt.status.map(Int64.init)), .text(attempt.fault),
                    ]))
        }
        try giveTurns(lines)
    }

    /// Makes deliveries pending again. Returns how many there are.
    func replay(_ numbers: [Int64], at now: Instant) throws -> Int {
        let lines = try transaction.run(
            """
            UPDATE event_delivery SET state = 'pending', attempts = 0, due_at = $2 WHERE number = ANY($1)
            RETURNING endpoint, ordering_key
            """, .numbers(numbers), .instant(now)
        ).map { ($0.text(0), $0.text(1)) }
        try giveTurns(lines)
        return lines.count
    }

    /// Gives the turn to the oldest pending delivery of each endpoint and ordering key.
    private func giveTurns(_ lines: [(endpoint: String, key: String)]) throws {
        guard !lines.isEmpty else { return }
        let values: [Value] = [.texts(lines.map(\.endpoint)), .texts(lines.map(\.key))]
        _ = try transaction.run([
            Statement(
                """
                UPDATE event_delivery SET turn_at = NULL FROM unnest($1, $2) AS line (endpoint, key)
                WHERE event_delivery.endpoint = line.endpoint AND ordering_key = line.key AND turn_at IS NOT NULL
                """, values),
            Statement(
                """
                UPDATE event_delivery SET turn_at = due_at FROM (SELECT DISTINCT * FROM unnest($1, $2)) AS line (endpoint, key)
                CROSS JOIN LATERAL (
                    SELECT number FROM event_delivery AS pending
                    WHERE pending.endpoint = line.endpoint AND ordering_key = line.key AND state = 'pending'
                    ORDER BY number LIMIT 1
                ) AS first
                WHERE event_delivery.number = first.number
                """, values),
        ])
    }

    /// Deletes old deliveries that have ended or have no endpoint, and events without deliveries. Returns the number of
    /// deliveries.
    func prune(before instant: Instant, keeping endpoints: [String], limit: Int) throws -> Int {
        let rows = try transaction.run(
            """
            DELETE FROM event_delivery WHERE number IN (
                (SELECT number FROM event_delivery WHERE state <> 'pending' AND last_at < $1 ORDER BY last_at LIMIT $2)
                UNION ALL
                (SELECT delivery.number FROM event_delivery AS delivery JOIN event ON event.number = event
                    WHERE state = 'pending' AND endpoint <> ALL($3) AND at < $1 LIMIT $2))
            RETURNING number, event
            """, .instant(instant), .number(Int64(limit)), .texts(endpoints)
        ).map { ($0.number(0), $0.number(1)) }
        guard !rows.isEmpty else { return 0 }
        transaction.enqueue(Statement("DELETE FROM event_attempt WHERE delivery = ANY($1)", [.numbers(rows.map(\.0))]))
        transaction.enqueue(
            Statement(
                """
                DELETE FROM event WHERE number = ANY($1) AND NOT EXISTS (
                    SELECT 1 FROM event_delivery WHERE event_delivery.event = event.number)
                """, [.numbers(rows.map(\.1))]))
        return rows.count
    }

    /// Blanks the events of an app that name one of these ids. Returns how many.
    func erase(_ ids: Set<String>, bundleID: String) throws -> Int {
        let partitions = AppPartition.environments(of: bundleID)
        let keys = partitions.flatMap { partition in ids.map(partition.orderingKey) }
        let rows = try transaction.run(
            """
            SELECT number, ordering_key FROM event
            WHERE bundle_id = ANY($1) AND (customer_id = ANY($2) OR ordering_key = ANY($3))
            """, .texts(partitions.map(\.name)), .texts(ids.sorted()), .texts(keys.sorted())
        ).map { (number: $0.number(0), key: $0.text(1)) }
        for (_, events) in Dictionary(grouping: rows, by: \.key) {
            let values: [Value] = [.numbers(events.map(\.number)), .text("erased/\(UUID())")]
            transaction.enqueue(
                Statement(
                    "UPDATE event SET customer_id = NULL, ordering_key = $2, data = $3 WHERE number = ANY($1)",
                    values + [.bytes(ServiceEvent.blank)]))
            transaction.enqueue(Statement("UPDATE event_delivery SET ordering_key = $2 WHERE event = ANY($1)", values))
        }
        let moved = try transaction.run(
            """
            UPDATE event SET previous_customer_id = NULL, data = $3
            WHERE bundle_id = ANY($1) AND previous_customer_id = ANY($2) RETURNING number
            """, .texts(partitions.map(\.name)), .texts(ids.sorted()), .bytes(ServiceEvent.blank)
        ).count
        // A collection under way has read what is erased.
        transaction.enqueue(
            Statement(
                "UPDATE event_position SET position = position + 1 WHERE source = $1 AND chain = 0", [.text(Self.purchases)]))
        return rows.count + moved
    }
}
