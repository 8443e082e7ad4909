public import EligibilityRules
public import OfferStore

/// Events and their deliveries in PostgreSQL.
public struct PostgreSQLEventStore: EventStore {
    private static let purpose = "look for events to deliver"
    private static let isWaiting = "NOT EXISTS (SELECT 1 FROM event_endpoint WHERE event_endpoint.endpoint = $1)"

    let store: PostgreSQLStore
    private let records: GroupCommit<EventAttemptOutcome, Void>

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) {
        self.store = store
        records = store.groupCommit("record deliveries of events", .latest, maxPerBatch: 256) { jobs, transaction in
            let tables = EventTables(transaction: transaction)
            try tables.lock()
            try tables.record(jobs.flatMap(\.self))
            return jobs.map { $0.map { _ in } }
        }
    }

    /// Changes deliveries, one process at a time.
    func change<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (EventTables) throws -> Value
    ) async throws(StoreError) -> Value {
        try await store.write(purpose, .latest) { transaction in
            let tables = EventTables(transaction: transaction)
            try tables.lock()
            return try body(tables)
        }
    }

    /// Adds it in its own transaction.
    public func add(_ event: ServiceEvent, to endpoints: [String], now: Instant) async throws(StoreError) {
        try await change("store an event") { try $0.insert([(event, endpoints)], now) }
    }

    /// Uses the index of turns.
    public func due(endpoint: String, at now: Instant, limit: Int) async throws(StoreError) -> [EventDelivery] {
        try await store.read(Self.purpose) { transaction in
            try transaction.run(
                """
                \(EventDelivery.select) WHERE endpoint = $1 AND turn_at <= $2 AND \(Self.isWaiting)
                ORDER BY turn_at, delivery.number LIMIT $3
                """, .text(endpoint), .instant(now), .number(Int64(limit))
            ).map(EventDelivery.init)
        }
    }

    /// Records those of many callers in one transaction.
    public func record(_ outcomes: [EventAttemptOutcome]) async throws(StoreError) {
        guard !outcomes.isEmpty else { return }
        let result = await withCheckedContinuation { continuation in
            records.submit(outcomes) { continuation.resume(returning: $0) }
        }
        _ = try result.get()
    }

    /// Reads backwards by number, some thousand rows at a time.
    public func deliveries(
        _ filter: EventFilter,
        before number: Int64?,
        limit: Int
    ) async throws(StoreError) -> [EventDelivery] {
        var (found, next): ([EventDelivery], Int64?) = ([], number ?? .max)
        while let end = next, found.count < limit {
            let slice = try await slice(filter, before: end, limit: limit - found.count)
            found += slice.found
            next = slice.start
        }
        return found
    }

    /// What one slice has, and the number before which the next begins; nil if nothing is left.
    private func slice(
        _ filter: EventFilter,
        before number: Int64,
        limit: Int
    ) async throws(StoreError) -> (found: [EventDelivery], start: Int64?) {
        try await store.scan("list deliveries of events") { [size = store.rowsPerSlice] transaction in
            let ends = try transaction.run("SELECT min(number), max(number) FROM event_delivery").first { row in
                row.optionalNumber(0).map { (first: $0, last: row.number(1)) }
            }
            guard let ends = ends ?? nil else { return ([], nil) }
            let end = min(number, ends.last + 1)
            let start = end - size
            var conditions = ["delivery.number >= $1", "delivery.number < $2"]
            var values: [Value] = [.number(start), .number(end), .number(Int64(limit))]
            func add(_ condition: (_ parameter: String) -> String, _ value: Value?) {
                guard let value else { return }
                values.append(value)
                conditions.append(condition("$\(values.count)"))
            }
            add({ "endpoint = \($0)" }, filter.endpoint.map(Value.text))
            add({ "type = \($0)" }, filter.type.map(Value.text))
            add({ "state = \($0)" }, filter.state.map { .text($0.rawValue) })
            add({ "customer_id = \($0)" }, filter.customerID.map(Value.text))
            let names = filter.apps.map { $0.sorted().flatMap(AppPartition.environments).map { Optional($0.name) } }
            add({ "bundle_id = ANY(\($0))" }, names.map(Value.texts))
            let sql = """
                \(EventDelivery.select) WHERE \(conditions.joined(separator: " AND ")) ORDER BY delivery.number DESC LIMIT $3
                """
            let found = try transaction.run([Statement(sql, values)]).first!.map(EventDelivery.init)
            return (found, start > ends.first ? start : nil)
        }
    }

    /// Uses the primary key.
    public func delivery(_ number: Int64) async throws(StoreError) -> EventDelivery? {
        try await store.read("read a delivery of an event") { transaction in
            try transaction.run("\(EventDelivery.select) WHERE delivery.number = $1", .number(number)).first(EventDelivery.init)
        }
    }

    /// Uses the primary key.
    public func attempts(of number: Int64) async throws(StoreError) -> [EventAttempt] {
        try await store.read("read the attempts of a delivery") { transaction in
            try transaction.run(
                "SELECT at, milliseconds, status, fault FROM event_attempt WHERE delivery = $1 ORDER BY place", .number(number)
            ).map { EventAttempt($0) }
        }
    }

    /// Changes all in one transaction.
    public func replay(_ numbers: [Int64], at now: Instant) async throws(StoreError) -> Int {
        try await change("send events again") { try $0.replay(numbers, at: now) }
    }

    /// Counts pending and failed deliveries by their indexes.
    public func endpoints() async throws(StoreError) -> [EventEndpointState] {
        try await store.scan("read the state of endpoints") { transaction in
            try transaction.run(
                """
                SELECT endpoint, disabled_at, coalesce(pending, 0), coalesce(failed, 0), (
                    SELECT at FROM event_delivery AS delivery JOIN event ON event.number = event WHERE delivery.number = first)
                FROM event_endpoint FULL JOIN (
                    SELECT endpoint, count(*) AS pending, min(number) AS first FROM event_delivery
                    WHERE state = 'pending' GROUP BY endpoint
                ) AS waiting USING (endpoint) FULL JOIN (
                    SELECT endpoint, count(*) AS failed FROM event_delivery WHERE state = 'failed' GROUP BY endpoint
                ) AS ended USING (endpoint)
                ORDER BY endpoint
                """
            ).map { row in
                EventEndpointState(
                    endpoint: row.text(0), disabledAt: row.optionalInstant(1), pending: Int(row.number(2)),
                    failed: Int(row.number(3)), oldestPending: row.optionalInstant(4))
            }
        }
    }

    /// Adds or deletes a row.
    public func setDisabled(
        _ endpoint: String,
        at instant: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.writeAudited("disable an endpoint") { transaction, audit in
            let now = try transaction.run("SELECT disabled_at FROM event_endpoint WHERE endpoint = $1", .text(endpoint))
                .first { $0.instant(0) }
            guard (now == nil) != (instant == nil) else { return false }
            transaction.enqueue(
                instant.map { Statement("INSERT INTO event_endpoint VALUES ($1, $2)", [.text(endpoint), .instant($0)]) }
                    ?? Statement("DELETE FROM event_endpoint WHERE endpoint = $1", [.text(endpoint)]))
            try audit.record(events.telling(disabledAt: now, instant, audit.identity.functions), transaction)
            return true
        }
    }

    /// Uses the index of deliveries that have ended.
    public func prune(before instant: Instant, keeping endpoints: [String], limit: Int) async throws(StoreError) -> Int {
        try await change("delete old events") { try $0.prune(before: instant, keeping: endpoints, limit: limit) }
    }

    /// Overwrites all in one transaction.
    public func erase(customerIDs: Set<String>, bundleID: String) async throws(StoreError) -> Int {
        try await change("erase a customer's events") { try $0.erase(customerIDs, bundleID: bundleID) }
    }
}
