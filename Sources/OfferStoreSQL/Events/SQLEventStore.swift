package import EligibilityRules
package import OfferStore

/// Collects the rows that events are made of, in an order that each database determines in its own way.
package protocol SQLEventCollector: Sendable {
    /// The row of `event_position` that an erasure changes.
    ///
    /// A collection that is under way thereby notices that data that it has read was erased in the meantime.
    static var interruption: String { get }

    /// Makes events of the rows that are new, as `EventStore` does.
    func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping EventStore.Render
    ) async throws(StoreError) -> Int
}

/// The store of events and their deliveries, written once for all databases except for the collection of events.
package struct SQLEventStore<Store: SQLStore, Collector: SQLEventCollector>: EventStore {
    private let store: Store
    private let collector: Collector
    private let records: GroupCommit<EventAttemptOutcome, Void>

    package init(_ store: Store, _ collector: Collector) {
        (self.store, self.collector) = (store, collector)
        records = store.groupCommit("record deliveries of events", .latest, maxPerBatch: 256) { jobs, transaction in
            try EventTables(locking: transaction).record(jobs.flatMap(\.self))
            return jobs.map { $0.map { _ in } }
        }
    }

    /// Changes deliveries, one process at a time.
    private func change<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (EventTables<Store.Transaction>) throws -> Value
    ) async throws(StoreError) -> Value {
        try await store.write(purpose, .latest) { try body(EventTables(locking: $0)) }
    }

    /// Adds the event in its own transaction.
    package func add(_ event: ServiceEvent, to endpoints: [String], now: Instant) async throws(StoreError) {
        try await change("store an event") { try $0.insert([(event, endpoints)], now) }
    }

    /// Leaves the work to the collector of the database.
    package func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping Render
    ) async throws(StoreError) -> Int {
        try await collector.collect(limit: limit, for: subscriptions, now: now, render)
    }

    /// Finds rows by the index of turns.
    package func due(endpoint: String, at now: Instant, limit: Int) async throws(StoreError) -> [EventDelivery] {
        try await store.read("look for events to deliver") { transaction in
            try transaction.run(
                """
                \(EventDelivery.selection) WHERE endpoint = $1 AND turn_at <= $2
                    AND NOT EXISTS (SELECT 1 FROM event_endpoint WHERE event_endpoint.endpoint = $1)
                ORDER BY turn_at, delivery.number LIMIT $3
                """, .text(endpoint), .instant(now), .number(Int64(limit))
            ).map { try EventDelivery($0) }
        }
    }

    /// Records the results of many callers in one transaction.
    package func record(_ outcomes: [EventAttemptOutcome]) async throws(StoreError) {
        guard !outcomes.isEmpty else { return }
        let result = await withCheckedContinuation { continuation in
            records.submit(outcomes) { continuation.resume(returning: $0) }
        }
        _ = try result.get()
    }

    /// Reads backwards by number, some thousand rows at a time.
    package func deliveries(
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

    /// The matching deliveries of one slice, and the number before which the next slice begins; nil if nothing is left.
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
            var values: [SQLValue] = [.number(start), .number(end), .number(Int64(limit))]
            func add(_ condition: (_ parameter: String) -> String, _ value: SQLValue?) {
                guard let value else { return }
                values.append(value)
                conditions.append(condition("$\(values.count)"))
            }
            add({ "endpoint = \($0)" }, filter.endpoint.map { .text($0) })
            add({ "type = \($0)" }, filter.type.map { .text($0) })
            add({ "substr(type, 1, length(\($0))) = \($0)" }, filter.typePrefix.map { .text($0) })
            add({ "state = \($0)" }, filter.state.map { .text($0.rawValue) })
            add({ "customer_id = \($0)" }, filter.customerID.map { .text($0) })
            let names = filter.apps.map { $0.sorted().flatMap(AppPartition.environments).map(\.name) }
            add({ "bundle_id \(Store.Transaction.dialect.isAny($0))" }, names.map { .texts($0) })
            let sql = """
                \(EventDelivery.selection) WHERE \(conditions.joined(separator: " AND ")) ORDER BY delivery.number DESC LIMIT $3
                """
            return (try transaction.run(sql, values).map { try EventDelivery($0) }, start > ends.first ? start : nil)
        }
    }

    /// Finds rows by the primary key.
    package func delivery(_ number: Int64) async throws(StoreError) -> EventDelivery? {
        try await store.read("read a delivery of an event") { transaction in
            try transaction.run("\(EventDelivery.selection) WHERE delivery.number = $1", .number(number))
                .first { try EventDelivery($0) }
        }
    }

    /// Finds rows by the primary key.
    package func attempts(of number: Int64) async throws(StoreError) -> [EventAttempt] {
        try await store.read("read the attempts of a delivery") { transaction in
            try transaction.run(
                "SELECT at, milliseconds, status, fault FROM event_attempt WHERE delivery = $1 ORDER BY place", .number(number)
            ).map { EventAttempt($0) }
        }
    }

    /// Changes all in one transaction.
    package func replay(_ numbers: [Int64], at now: Instant) async throws(StoreError) -> Int {
        try await change("send events again") { try $0.replay(numbers, at: now) }
    }

    /// Counts pending and failed deliveries by their indexes.
    package func endpoints() async throws(StoreError) -> [EventEndpointState] {
        try await store.scan("read the state of endpoints") { transaction in
            try transaction.run(
                """
                WITH part AS (
                    SELECT endpoint, disabled_at, 0 AS pending, 0 AS failed, NULL AS first FROM event_endpoint
                    UNION ALL
                    SELECT endpoint, NULL, count(*), 0, min(number) FROM event_delivery WHERE state = 'pending' GROUP BY endpoint
                    UNION ALL
                    SELECT endpoint, NULL, 0, count(*), NULL FROM event_delivery WHERE state = 'failed' GROUP BY endpoint
                ), whole AS (
                    SELECT endpoint, max(disabled_at) AS disabled_at, CAST(sum(pending) AS bigint) AS pending,
                        CAST(sum(failed) AS bigint) AS failed, max(first) AS first
                    FROM part GROUP BY endpoint
                )
                SELECT endpoint, disabled_at, pending, failed, (
                    SELECT at FROM event JOIN event_delivery ON event.number = event WHERE event_delivery.number = first
                )
                FROM whole ORDER BY endpoint
                """
            ).map { row in
                EventEndpointState(
                    endpoint: row.text(0), disabledAt: row.optionalInstant(1), pending: Int(row.number(2)),
                    failed: Int(row.number(3)), oldestPending: row.optionalInstant(4))
            }
        }
    }

    /// Adds or deletes a row.
    package func setDisabled(
        _ endpoint: String,
        at instant: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.writeAudited("disable an endpoint", .serializable) { transaction, audit in
            let now = try transaction.run("SELECT disabled_at FROM event_endpoint WHERE endpoint = $1", .text(endpoint))
                .first { $0.instant(0) }
            guard (now == nil) != (instant == nil) else { return false }
            if let instant {
                try transaction.enqueue("INSERT INTO event_endpoint VALUES ($1, $2)", .text(endpoint), .instant(instant))
            } else {
                try transaction.enqueue("DELETE FROM event_endpoint WHERE endpoint = $1", .text(endpoint))
            }
            try audit.record(events.telling(disabledAt: now, instant, audit.functions), transaction)
            return true
        }
    }

    /// Finds old deliveries by the index of those that have ended.
    package func prune(before instant: Instant, keeping endpoints: [String], limit: Int) async throws(StoreError) -> Int {
        try await change("delete old events") { try $0.prune(before: instant, keeping: endpoints, limit: limit) }
    }

    /// Overwrites all in one transaction.
    package func erase(customerIDs: Set<String>, bundleID: String) async throws(StoreError) -> Int {
        try await change("erase a customer's events") { tables in
            try tables.transaction.overwriting {
                let count = try tables.erase(customerIDs, bundleID: bundleID)
                try tables.transaction.enqueue(
                    "UPDATE event_position SET position = position + 1 WHERE source = $1", .text(Collector.interruption))
                return count
            }
        }
    }
}
