import EligibilityRules
import GRDB
import OfferStore
import OfferStoreSQL

/// Collects what makes events from the audit log's file and the file of histories.
struct SQLiteEventCollector: SQLEventCollector {
    /// The row of `event_position` that counts erasures.
    static let interruption = "erasures"
    private static let purchaseSource = "purchase_event"
    private static let purpose = "collect events"

    let store: SQLiteStore
    /// The file of histories, whose changes make events, too; nil for none.
    let purchases: SQLiteHistoryFile?

    /// Reads beside the writer, then stores events and positions in one transaction.
    ///
    /// No transaction spans both files, so changes of histories are deleted last. If a crash prevents that, they are not
    /// collected again, because the stored position is already past them.
    func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping EventStore.Render
    ) async throws(StoreError) -> Int {
        let positions = try await store.read(Self.purpose) { try Self.positions($0) }
        guard !positions.isEmpty, !subscriptions.isEmpty else {
            if !positions.isEmpty || !subscriptions.isEmpty { try await skip() }
            return 0
        }
        var slices = try await store.read(Self.purpose) { database in
            try AuditTable.allCases.map { try Self.slice(of: $0, after: positions[$0.rawValue] ?? 0, limit: limit, database) }
        }
        let (changes, isLeftOver, restart) = try await purchaseSlice(after: positions[Self.purchaseSource] ?? 0, limit: limit)
        slices.append(changes)
        let round = EventRound(slices, now: now)
        var isStored = true
        let ends = [Self.purchaseSource: restart].compactMapValues(\.self).merging(round.positions) { max($0, $1) }
        if !ends.isEmpty {
            isStored = try await store.write(Self.purpose) { database in
                // Another process may have collected meanwhile.
                guard try Self.positions(database) == positions else { return false }
                try EventTables(locking: database).insert(round.events(for: subscriptions, render), now)
                try Self.set(ends, database)
                return true
            }
        }
        let end = ends[Self.purchaseSource] ?? positions[Self.purchaseSource] ?? 0
        if isStored, isLeftOver || ends[Self.purchaseSource] != nil { try await deletePurchases(through: end) }
        return isStored ? round.rows.count : 0
    }

    /// Moves all positions to the end, so that no row up to now makes an event.
    private func skip() async throws(StoreError) {
        let last = try await purchases?.store.read(Self.purpose) { try Self.lastChange($0) } ?? 0
        try await store.write(Self.purpose) { database in
            var ends = [Self.purchaseSource: last]
            for table in AuditTable.allCases {
                ends[table.rawValue] = try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), 0) FROM \(table.rawValue)")
            }
            let positions = try Self.positions(database)
            ends[Self.interruption] = positions[Self.interruption] ?? 0
            guard positions != ends else { return }
            try Self.set(ends, database)
        }
        try await deletePurchases(through: last)
    }

    private func purchaseSlice(
        after position: Int64,
        limit: Int
    ) async throws(StoreError) -> (slice: EventSlice, isLeftOver: Bool, restart: Int64?) {
        guard let purchases else { return (EventSlice(Self.purchaseSource, [], limit: limit), false, nil) }
        return try await purchases.store.read(Self.purpose) { database in
            // In a file restored from a backup, ids continue from the last one in the backup. The changes that the backup
            // contains were collected before.
            let last = try Self.lastChange(database)
            let restart = last < position ? last : nil
            let start = restart ?? position
            let sql = "SELECT EXISTS (SELECT 1 FROM purchase_event WHERE id <= ?)"
            return (
                EventSlice(Self.purchaseSource, try Self.changes(after: start, limit: limit, database), limit: limit),
                try Bool.fetchOne(database, sql: sql, arguments: [start])!, restart
            )
        }
    }

    private func deletePurchases(through position: Int64) async throws(StoreError) {
        try await purchases?.store.write(Self.purpose) { database in
            try database.enqueue("DELETE FROM purchase_event WHERE id <= $1", .number(position))
        }
    }

    /// The highest id ever given to a change.
    private static func lastChange(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'purchase_event'") ?? 0
    }

    private static func changes(after position: Int64, limit: Int, _ database: Database) throws -> [EventRow] {
        try database.run(
            "SELECT id, \(PurchaseEvent.columns) FROM purchase_event WHERE id > $1 ORDER BY id LIMIT $2", .number(position),
            .number(Int64(limit))
        ).map { EventRow(position: $0.number(0), at: $0.instant(1), .purchase(try PurchaseEvent($0, from: 1))) }
    }

    private static func positions(_ database: Database) throws -> [String: Int64] {
        let rows = try Row.fetchAll(database, sql: "SELECT source, position FROM event_position")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["source"], $0["position"]) })
    }

    private static func set(_ positions: [String: Int64], _ database: Database) throws {
        for (source, position) in positions {
            try database.execute(
                sql: "INSERT INTO event_position VALUES (?1, ?2) ON CONFLICT DO UPDATE SET position = ?2",
                arguments: [source, position])
        }
    }

    private static func slice(of table: AuditTable, after position: Int64, limit: Int, _ database: Database) throws
        -> EventSlice
    {
        let rows = try database.run(
            "SELECT id, \(table.eventSourceColumns) FROM \(table.rawValue) WHERE id > $1 ORDER BY id LIMIT $2", .number(position),
            .number(Int64(limit))
        ).map { row in try table.eventRow(row, from: 1, position: row.number(0)) }
        return EventSlice(table.rawValue, rows, limit: limit)
    }
}
