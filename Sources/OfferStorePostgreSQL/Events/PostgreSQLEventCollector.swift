import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Collects what makes events from the chains of the audit log and the changes of histories.
struct PostgreSQLEventCollector: SQLEventCollector {
    /// The source of changes of histories.
    ///
    /// The position stored for it counts the collections and the erasures.
    static let interruption = "purchase_event"
    private static let purpose = "collect events"

    let store: PostgreSQLStore

    /// Reads in one snapshot, then stores events and positions in one transaction.
    ///
    /// One session writes a chain, so its rows become visible in the order of their numbers, and each chain has a position. Rows
    /// of different chains are ordered by their transactions: a transaction that began after another one was answered has a
    /// higher number.
    func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping EventStore.Render
    ) async throws(StoreError) -> Int {
        let (turn, slices) = try await store.read(Self.purpose) { transaction in
            let turn = try Self.turn(transaction)
            return (turn, turn == nil || subscriptions.isEmpty ? [] : try Self.slices(limit, transaction))
        }
        guard turn != nil, !subscriptions.isEmpty else {
            if turn != nil || !subscriptions.isEmpty { try await skip() }
            return 0
        }
        let round = EventRound(slices, now: nil)
        guard !round.rows.isEmpty else { return 0 }
        let changes = slices.last!.rows.map(\.position).filter { $0 <= round.positions[Self.interruption] ?? 0 }
        return try await store.write(Self.purpose, .latest) { transaction in
            let tables = try EventTables(locking: transaction)
            // Another process may have collected meanwhile.
            guard try Self.turn(transaction) == turn else { return 0 }
            try tables.insert(round.events(for: subscriptions, render), now)
            let positions = round.positions.filter { $0.key != Self.interruption }.map { source, position in
                (table: source.prefix { $0 != " " }, position: position)
            }
            try Self.advance(
                positions.map { (String($0.table), $0.position >> ChainedRow.placeBits, $0.position) }, transaction)
            try transaction.enqueue("DELETE FROM purchase_event WHERE id = ANY($1)", .numbers(changes))
            return round.rows.count
        }
    }

    /// Moves all positions to the end, so that no row up to now makes an event.
    private func skip() async throws(StoreError) {
        try await store.write(Self.purpose, .latest) { transaction in
            _ = try EventTables(locking: transaction)
            var ends: [(String, Int64, Int64)] = []
            for table in AuditTable.allCases {
                ends += try transaction.run(ChainedRow.lastRows(of: table)).map {
                    (table.rawValue, $0.number(0), $0.number(1))
                }
            }
            try Self.advance(ends, transaction)
            try transaction.enqueue("DELETE FROM purchase_event")
        }
    }

    /// The number of collections and erasures so far; nil before the first collection.
    private static func turn(_ transaction: Transaction) throws -> Int64? {
        try transaction.run(
            "SELECT position FROM event_position WHERE source = $1 AND chain = 0", .text(Self.interruption)
        ).first { $0.number(0) }
    }

    private static func advance(_ ends: [(source: String, chain: Int64, position: Int64)], _ transaction: Transaction) throws {
        _ = try transaction.run([
            SQLStatement(
                """
                INSERT INTO event_position SELECT * FROM unnest($1, $2, $3)
                ON CONFLICT (source, chain) DO UPDATE SET position = excluded.position
                """, [.texts(ends.map(\.source)), .numbers(ends.map(\.chain)), .numbers(ends.map(\.position))]),
            SQLStatement(
                """
                INSERT INTO event_position VALUES ($1, 0, 1)
                ON CONFLICT (source, chain) DO UPDATE SET position = event_position.position + 1
                """, [.text(Self.interruption)]),
        ])
    }

    /// Selects the first changes of histories, in the order of their transactions.
    private static func changes(_ limit: Int) -> SQLStatement {
        SQLStatement(
            "SELECT id, -age(xmin)::int8, \(PurchaseEvent.columns) FROM purchase_event ORDER BY id LIMIT $1",
            [.number(Int64(limit))])
    }

    /// The next rows of each chain that has any, and then the changes of histories.
    ///
    /// - Parameter limit: how many of each.
    private static func slices(_ limit: Int, _ transaction: Transaction) throws -> [EventSlice] {
        let results = try transaction.run(
            AuditTable.allCases.map { SQLStatement($0.nextRows, [.number(Int64(limit))]) } + [Self.changes(limit)])
        var slices: [EventSlice] = []
        for (table, rows) in zip(AuditTable.allCases, results) {
            let rows = try rows.map { row in
                try (
                    chain: row.number(0) >> ChainedRow.placeBits,
                    row: table.eventRow(row, from: 2, position: row.number(0), transaction: row.number(1))
                )
            }
            for (chain, own) in Dictionary(grouping: rows, by: \.chain).sorted(by: { $0.key < $1.key }) {
                slices.append(EventSlice("\(table.rawValue) \(chain)", own.map(\.row), limit: limit))
            }
        }
        return slices + [
            EventSlice(
                Self.interruption,
                try results.last!.map { row in
                    EventRow(
                        position: row.number(0), transaction: row.number(1), at: row.instant(2),
                        .purchase(try PurchaseEvent(row, from: 2)))
                }, limit: limit)
        ]
    }
}

extension AuditTable {
    /// Selects the rows after the position of each chain.
    fileprivate var nextRows: String {
        let bits = ChainedRow.placeBits
        return """
            SELECT next.* FROM (\(ChainedRow.ranges(of: self))) AS ranges
            LEFT JOIN event_position ON source = '\(rawValue)' AND chain = ranges.number
            CROSS JOIN LATERAL (
                SELECT id AS place, -age(xmin)::int8, \(eventSourceColumns) FROM \(rawValue)
                WHERE id > coalesce(position, ranges.number << \(bits)) AND id < (ranges.number + 1) << \(bits)
                ORDER BY place LIMIT $1
            ) AS next ORDER BY next.place
            """
    }
}
