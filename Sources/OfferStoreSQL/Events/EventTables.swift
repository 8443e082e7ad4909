package import EligibilityRules
import FoundationEssentials
package import OfferStore

/// The tables of events and deliveries, within the only transaction that changes deliveries at the time.
package struct EventTables<Transaction: SQLTransaction> {
    package let transaction: Transaction

    /// Waits until no other transaction changes deliveries.
    ///
    /// Otherwise one transaction could end a delivery while another one adds its successor, and neither would give the successor
    /// its turn.
    package init(locking transaction: Transaction) throws {
        self.transaction = transaction
        guard !Transaction.dialect.hasOneWriter else { return }
        try transaction.enqueue("INSERT INTO event_position VALUES ('lock', 0, 0) ON CONFLICT DO NOTHING")
        _ = try transaction.run("SELECT position FROM event_position WHERE source = 'lock' FOR NO KEY UPDATE")
    }

    /// Adds events with their deliveries, due now.
    package func insert(_ events: [EventRound.Addressed], _ now: Instant) throws {
        let numbers = try transaction.results(
            of: events.map { event, _ in
                SQLStatement(
                    """
                    INSERT INTO event (id, type, at, bundle_id, ordering_key, customer_id, previous_customer_id, data)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING number
                    """,
                    [
                        .bytes(withUnsafeBytes(of: event.id.uuid) { Array($0) }), .text(event.type), .instant(event.at),
                        .text(event.partition?.name), .text(event.orderingKey), .text(event.customerID),
                        .text(event.previousCustomerID), .bytes(event.data),
                    ])
            }
        ).map { $0.first { $0.number(0) }! }
        for (number, addressed) in zip(numbers, events) {
            for endpoint in addressed.endpoints {
                // It is the delivery's turn at once, unless another one with its ordering key is pending.
                try transaction.enqueue(
                    """
                    INSERT INTO event_delivery (event, endpoint, ordering_key, state, attempts, due_at, turn_at)
                    VALUES ($1, $2, $3, 'pending', 0, $4, CASE WHEN NOT EXISTS (
                        SELECT 1 FROM event_delivery WHERE endpoint = $2 AND ordering_key = $3 AND turn_at IS NOT NULL
                    ) THEN $4 END)
                    """, .number(number), .text(endpoint), .text(addressed.event.orderingKey), .instant(now))
            }
        }
    }

    /// Records the results of attempts at pending deliveries.
    func record(_ outcomes: [EventAttemptOutcome]) throws {
        let updates = try transaction.results(
            of: outcomes.map { outcome in
                SQLStatement(
                    """
                    UPDATE event_delivery SET state = $1, attempts = attempts + 1, due_at = $2, turn_at = NULL, last_at = $3
                    WHERE number = $4 AND state = 'pending' RETURNING endpoint, ordering_key
                    """,
                    [
                        .text(outcome.state.rawValue), .instant(outcome.dueAt), .instant(outcome.attempt.at),
                        .number(outcome.number),
                    ])
            })
        for (outcome, rows) in zip(outcomes, updates) {
            guard let line = rows.first({ Line($0) }) else { continue }
            let attempt = outcome.attempt
            try transaction.enqueue(
                """
                INSERT INTO event_attempt (delivery, place, at, milliseconds, status, fault)
                SELECT $1, coalesce(max(place), 0) + 1, $2, $3, $4, $5 FROM event_attempt WHERE delivery = $1
                """, .number(outcome.number), .instant(attempt.at), .number(attempt.milliseconds),
                .number(attempt.status.map(Int64.init)), .text(attempt.fault))
            try giveTurn(line)
        }
    }

    /// Makes deliveries pending again. Returns how many there are.
    func replay(_ numbers: [Int64], at now: Instant) throws -> Int {
        let lines = try transaction.run(
            """
            UPDATE event_delivery SET state = 'pending', attempts = 0, due_at = $1 WHERE number \(Transaction.dialect.isAny("$2"))
            RETURNING endpoint, ordering_key
            """, .instant(now), .numbers(numbers)
        ).map { Line($0) }
        for line in lines { try giveTurn(line) }
        return lines.count
    }

    /// Gives the turn to the oldest pending delivery of an endpoint and ordering key.
    private func giveTurn(_ line: Line) throws {
        let values: [SQLValue] = [.text(line.endpoint), .text(line.key)]
        try transaction.enqueue(
            "UPDATE event_delivery SET turn_at = NULL WHERE endpoint = $1 AND ordering_key = $2 AND turn_at IS NOT NULL", values)
        try transaction.enqueue(
            """
            UPDATE event_delivery SET turn_at = due_at WHERE number = (
                SELECT min(number) FROM event_delivery WHERE endpoint = $1 AND ordering_key = $2 AND state = 'pending')
            """, values)
    }

    /// Deletes old deliveries that have ended or have no endpoint, and events without deliveries. Returns the number of
    /// deliveries.
    func prune(before instant: Instant, keeping endpoints: [String], limit: Int) throws -> Int {
        let isAny = Transaction.dialect.isAny
        let rows = try transaction.run(
            """
            SELECT * FROM (
                SELECT number, event FROM event_delivery WHERE state <> 'pending' AND last_at < $1 ORDER BY last_at LIMIT $2
            ) AS ended
            UNION ALL SELECT * FROM (
                SELECT delivery.number, event FROM event_delivery AS delivery JOIN event ON event.number = event
                WHERE state = 'pending' AND NOT (endpoint \(isAny("$3"))) AND event.at < $1 LIMIT $2
            ) AS left_over
            """, .instant(instant), .number(Int64(limit)), .texts(endpoints)
        ).map { (delivery: $0.number(0), event: $0.number(1)) }
        guard !rows.isEmpty else { return 0 }
        let deliveries = SQLValue.numbers(rows.map(\.delivery))
        try transaction.enqueue("DELETE FROM event_attempt WHERE delivery \(isAny("$1"))", deliveries)
        try transaction.enqueue("DELETE FROM event_delivery WHERE number \(isAny("$1"))", deliveries)
        try transaction.enqueue(
            """
            DELETE FROM event WHERE number \(isAny("$1")) AND NOT EXISTS (
                SELECT 1 FROM event_delivery WHERE event_delivery.event = event.number)
            """, .numbers(rows.map(\.event)))
        return rows.count
    }

    /// Blanks the events of an app that name one of these ids. Returns how many events these are.
    func erase(_ ids: Set<String>, bundleID: String) throws -> Int {
        let (partitions, isAny) = (AppPartition.environments(of: bundleID), Transaction.dialect.isAny)
        let keys = partitions.flatMap { partition in ids.map(partition.orderingKey) }
        let rows = try transaction.run(
            """
            SELECT number, ordering_key FROM event
            WHERE bundle_id \(isAny("$1")) AND (customer_id \(isAny("$2")) OR ordering_key \(isAny("$3")))
            """, .texts(partitions.map(\.name)), .texts(ids.sorted()), .texts(keys.sorted())
        ).map { (number: $0.number(0), key: $0.text(1)) }
        for (_, events) in Dictionary(grouping: rows, by: \.key) {
            let values: [SQLValue] = [.text("erased/\(UUID())"), .numbers(events.map(\.number))]
            try transaction.enqueue("UPDATE event_delivery SET ordering_key = $1 WHERE event \(isAny("$2"))", values)
            try transaction.enqueue(
                "UPDATE event SET customer_id = NULL, ordering_key = $1, data = $3 WHERE number \(isAny("$2"))",
                values + [.bytes(ServiceEvent.blank)])
        }
        return try transaction.run(
            """
            UPDATE event SET previous_customer_id = NULL, data = $1
            WHERE bundle_id \(isAny("$2")) AND previous_customer_id \(isAny("$3"))
            """, .bytes(ServiceEvent.blank), .texts(partitions.map(\.name)), .texts(ids.sorted())
        ).changes + rows.count
    }
}

/// The deliveries to an endpoint that are made one after another.
private struct Line {
    let endpoint: String
    let key: String

    init(_ row: some SQLRow) { (endpoint, key) = (row.text(0), row.text(1)) }
}
