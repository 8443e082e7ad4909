public import EligibilityRules
import GRDB
public import OfferStore

extension SQLiteEventStore {
    private static let purchaseSource = "purchase_event"
    private static let purpose = "collect events"

    /// Reads beside the writer, then stores events and positions in one transaction.
    ///
    /// No transaction spans both files: changes of histories are deleted last, and what is left of them after a crash lies
    /// before the stored position.
    public func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping Render
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
                try EventTables(database: database).insert(round.events(for: subscriptions, render), now)
                try Self.set(ends, database)
                return true
            }
        }
        let end = ends[Self.purchaseSource] ?? positions[Self.purchaseSource] ?? 0
        if isStored, isLeftOver || ends[Self.purchaseSource] != nil { try await deletePurchases(through: end) }
        return isStored ? round.rows.count : 0
    }

    /// Moves all positions to the end.
    private func skip() async throws(StoreError) {
        let last = try await purchases?.store.read(Self.purpose) { try PurchaseEventRows(database: $0).last() } ?? 0
        try await store.write(Self.purpose) { database in
            var ends = [Self.purchaseSource: last]
            for table in AuditTable.allCases {
                ends[table.rawValue] = try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), 0) FROM \(table.rawValue)")
            }
            let positions = try Self.positions(database)
            ends[EventTables.erasures] = positions[EventTables.erasures] ?? 0
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
            let rows = PurchaseEventRows(database: database)
            // A file restored from an older backup counts on from there, and what lies in it was collected.
            let last = try rows.last()
            let restart = last < position ? last : nil
            let start = restart ?? position
            let sql = "SELECT EXISTS (SELECT 1 FROM purchase_event WHERE id <= ?)"
            return (
                EventSlice(Self.purchaseSource, try rows.rows(after: start, limit: limit), limit: limit),
                try Bool.fetchOne(database, sql: sql, arguments: [start])!, restart
            )
        }
    }

    private func deletePurchases(through position: Int64) async throws(StoreError) {
        try await purchases?.store.write(Self.purpose) { try PurchaseEventRows(database: $0).delete(through: position) }
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
        let sql = "SELECT * FROM \(table.rawValue) WHERE id > ? ORDER BY id LIMIT ?"
        let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [position, limit]).map { row in
            let (at, source): (Instant, EventSource)
            switch table {
            case .signatures:
                let entry = try LedgerEntry(row: row)
                (at, source) = (entry.signedAt, .signatures(entry))
            case .refusals:
                let refusals = try LedgerRefusals(row: row)
                (at, source) = (refusals.refusedAt, .refusals(refusals))
            case .events:
                let event = AuditEntry(table, row).event
                (at, source) = (event.at, .change(event))
            }
            return EventRow(position: row["id"], at: at, source)
        }
        return EventSlice(table.rawValue, rows, limit: limit)
    }
}
