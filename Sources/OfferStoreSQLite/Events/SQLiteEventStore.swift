public import EligibilityRules
import GRDB
public import OfferStore

/// Events and their deliveries in SQLite.
public struct SQLiteEventStore: EventStore {
    private static let purpose = "look for events to deliver"
    private static let isWaiting = "NOT EXISTS (SELECT 1 FROM event_endpoint WHERE event_endpoint.endpoint = ?1)"

    let store: SQLiteStore
    let purchases: SQLiteHistoryFile?
    private let records: GroupCommit<EventAttemptOutcome, Void>

    /// Uses open files.
    ///
    /// - Parameter purchases: the file whose changes make events, too; nil for none.
    public init(store: SQLiteStore, purchases: SQLiteHistoryFile? = nil) {
        (self.store, self.purchases) = (store, purchases)
        records = store.groupCommit("record deliveries of events", maxPerBatch: 256) { jobs, database, _ in
            try jobs.map { try $0.map(EventTables(database: database).record) }
        }
    }

    /// Adds it in its own transaction.
    public func add(_ event: ServiceEvent, to endpoints: [String], now: Instant) async throws(StoreError) {
        try await store.write("store an event") { try EventTables(database: $0).insert([(event, endpoints)], now) }
    }

    /// Uses the index of turns.
    public func due(endpoint: String, at now: Instant, limit: Int) async throws(StoreError) -> [EventDelivery] {
        try await store.read(Self.purpose) { database in
            let sql = """
                \(EventTables.select) WHERE endpoint = ?1 AND turn_at <= ?2 AND \(Self.isWaiting) ORDER BY turn_at, delivery.number
                LIMIT ?3
                """
            return try Row.fetchAll(database, sql: sql, arguments: [endpoint, now.milliseconds, limit]).map(EventDelivery.init)
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
        try await store.scan("list deliveries of events") { [size = store.rowsPerSlice] database in
            let ends = try Row.fetchOne(database, sql: "SELECT min(number), max(number) FROM event_delivery")!
            guard let first = ends[0] as Int64?, let last = ends[1] as Int64? else { return ([], nil) }
            let end = min(number, last + 1)
            let start = end - size
            var conditions = ["delivery.number >= ?", "delivery.number < ?"]
            var arguments: StatementArguments = [start, end]
            func add(_ condition: String, _ value: String?) {
                guard let value else { return }
                conditions.append(condition)
                arguments += [value]
            }
            add("endpoint = ?", filter.endpoint)
            add("type = ?", filter.type)
            add("state = ?", filter.state?.rawValue)
            add("customer_id = ?", filter.customerID)
            let names = filter.apps.map { $0.sorted().flatMap(AppPartition.environments).map(\.name) }
            add("bundle_id IN (SELECT value FROM json_each(?))", try names?.json)
            arguments += [limit]
            let sql = """
                \(EventTables.select) WHERE \(conditions.joined(separator: " AND ")) ORDER BY delivery.number DESC LIMIT ?
                """
            let found = try Row.fetchAll(database, sql: sql, arguments: arguments).map(EventDelivery.init)
            return (found, start > first ? start : nil)
        }
    }

    /// Uses the primary key.
    public func delivery(_ number: Int64) async throws(StoreError) -> EventDelivery? {
        try await store.read("read a delivery of an event") { database in
            try Row.fetchOne(database, sql: "\(EventTables.select) WHERE delivery.number = ?", arguments: [number])
                .map(EventDelivery.init)
        }
    }

    /// Uses the primary key.
    public func attempts(of number: Int64) async throws(StoreError) -> [EventAttempt] {
        try await store.read("read the attempts of a delivery") { database in
            let sql = "SELECT at, milliseconds, status, fault FROM event_attempt WHERE delivery = ? ORDER BY place"
            return try Row.fetchAll(database, sql: sql, arguments: [number]).map { row in
                EventAttempt(
                    at: Instant(milliseconds: row["at"]), milliseconds: row["milliseconds"], status: row["status"],
                    fault: row["fault"])
            }
        }
    }

    /// Changes all in one transaction.
    public func replay(_ numbers: [Int64], at now: Instant) async throws(StoreError) -> Int {
        try await store.write("send events again") { database in
            try Set(numbers).count { try EventTables(database: database).replay($0, at: now) }
        }
    }

    /// Counts pending and failed deliveries by their indexes.
    public func endpoints() async throws(StoreError) -> [EventEndpointState] {
        try await store.scan("read the state of endpoints") { database in
            let sql = """
                WITH part AS (
                    SELECT endpoint, disabled_at, 0 AS pending, 0 AS failed, NULL AS first FROM event_endpoint
                    UNION ALL
                    SELECT endpoint, NULL, count(*), 0, min(number) FROM event_delivery WHERE state = 'pending' GROUP BY endpoint
                    UNION ALL
                    SELECT endpoint, NULL, 0, count(*), NULL FROM event_delivery WHERE state = 'failed' GROUP BY endpoint
                ), whole AS (
                    SELECT endpoint, max(disabled_at) AS disabled_at, sum(pending) AS pending, sum(failed) AS failed,
                        max(first) AS first
                    FROM part GROUP BY endpoint)
                SELECT whole.*, (
                    SELECT at FROM event JOIN event_delivery ON event.number = event WHERE event_delivery.number = first
                ) AS oldest
                FROM whole ORDER BY endpoint
                """
            return try Row.fetchAll(database, sql: sql).map { row in
                EventEndpointState(
                    endpoint: row["endpoint"],
                    disabledAt: (row["disabled_at"] as Int64?).map(Instant.init(milliseconds:)), pending: row["pending"],
                    failed: row["failed"], oldestPending: (row["oldest"] as Int64?).map(Instant.init(milliseconds:)))
            }
        }
    }

    /// Adds or deletes a row.
    public func setDisabled(
        _ endpoint: String,
        at instant: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.write("disable an endpoint") { [audit = store.audit!] database in
            let sql = "SELECT disabled_at FROM event_endpoint WHERE endpoint = ?"
            let now = try Int64.fetchOne(database, sql: sql, arguments: [endpoint]).map(Instant.init(milliseconds:))
            guard (now == nil) != (instant == nil) else { return false }
            if let instant {
                try database.execute(
                    sql: "INSERT INTO event_endpoint VALUES (?, ?)", arguments: [endpoint, instant.milliseconds])
            } else {
                try database.execute(sql: "DELETE FROM event_endpoint WHERE endpoint = ?", arguments: [endpoint])
            }
            try audit.record(events.telling(disabledAt: now, instant, audit.identity.functions), database)
            return true
        }
    }

    /// Uses the index of deliveries that have ended.
    public func prune(before instant: Instant, keeping endpoints: [String], limit: Int) async throws(StoreError) -> Int {
        try await store.write("delete old events") {
            try EventTables(database: $0).prune(before: instant, keeping: endpoints, limit: limit)
        }
    }

    /// Overwrites all in one transaction.
    public func erase(customerIDs: Set<String>, bundleID: String) async throws(StoreError) -> Int {
        try await store.write("erase a customer's events") {
            try EventTables(database: $0).erase(customerIDs, bundleID: bundleID)
        }
    }
}
