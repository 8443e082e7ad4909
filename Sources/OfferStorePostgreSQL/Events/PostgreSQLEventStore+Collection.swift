public import EligibilityRules
public import OfferStore

extension PostgreSQLEventStore {
    private static let purpose = "collect events"

    /// Reads in one snapshot, then stores events and positions in one transaction.
    ///
    /// Rows of a chain become visible in the order of their numbers, as one session writes them. So each chain has a position.
    /// Rows of several chains are ordered by their transactions: one that began after another was answered has a higher number.
    public func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping Render
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
        let changes = slices.last!.rows.map(\.position).filter { $0 <= round.positions[EventTables.purchases] ?? 0 }
        return try await change(Self.purpose) { tables in
            // Another process may have collected meanwhile.
            guard try Self.turn(tables.transaction) == turn else { return 0 }
            try tables.insert(round.events(for: subscriptions, render), now)
            let positions = round.positions.filter { $0.key != EventTables.purchases }.map { source, position in
                (table: source.prefix { $0 != " " }, position: position)
            }
            try Self.advance(
                positions.map { (String($0.table), $0.position >> ChainedRow.placeBits, $0.position) }, tables.transaction)
            tables.transaction.enqueue(Statement("DELETE FROM purchase_event WHERE id = ANY($1)", [.numbers(changes)]))
            return round.rows.count
        }
    }

    /// Moves all positions to the end.
    private func skip() async throws(StoreError) {
        try await change(Self.purpose) { tables in
            var ends: [(String, Int64, Int64)] = []
            for table in AuditTable.allCases {
                ends += try tables.transaction.run(ChainedRow.lastRows(of: table)).map {
                    (table.rawValue, $0.number(0), $0.number(1))
                }
            }
            try Self.advance(ends, tables.transaction)
            tables.transaction.enqueue(Statement("DELETE FROM purchase_event"))
        }
    }

    /// The number of collections so far; nil before the first.
    private static func turn(_ transaction: Transaction) throws -> Int64? {
        try transaction.run(
            "SELECT position FROM event_position WHERE source = $1 AND chain = 0", .text(EventTables.purchases)
        ).first { $0.number(0) }
    }

    private static func advance(_ ends: [(source: String, chain: Int64, position: Int64)], _ transaction: Transaction) throws {
        _ = try transaction.run([
            Statement(
                """
                INSERT INTO event_position SELECT * FROM unnest($1, $2, $3)
                ON CONFLICT (source, chain) DO UPDATE SET position = excluded.position
                """, [.texts(ends.map(\.source)), .numbers(ends.map(\.chain)), .numbers(ends.map(\.position))]),
            Statement(
                """
                INSERT INTO event_position VALUES ($1, 0, 1)
                ON CONFLICT (source, chain) DO UPDATE SET position = event_position.position + 1
                """, [.text(EventTables.purchases)]),
        ])
    }

    /// The next rows of each chain that has any, and then the changes of histories.
    ///
    /// - Parameter limit: how many of each.
    private static func slices(_ limit: Int, _ transaction: Transaction) throws -> [EventSlice] {
        let results = try transaction.run(
            AuditTable.allCases.map { Statement($0.nextRows, [.number(Int64(limit))]) } + [PurchaseEventRows.first(limit)])
        var slices: [EventSlice] = []
        for (table, rows) in zip(AuditTable.allCases, results) {
            let rows = try rows.map { row in try (chain: row.number(0) >> ChainedRow.placeBits, row: table.eventRow(row)) }
            for (chain, own) in Dictionary(grouping: rows, by: \.chain).sorted(by: { $0.key < $1.key }) {
                slices.append(EventSlice("\(table.rawValue) \(chain)", own.map(\.row), limit: limit))
            }
        }
        return slices + [EventSlice(EventTables.purchases, try results.last!.map(PurchaseEventRows.row), limit: limit)]
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

    private var eventSourceColumns: String {
        switch self {
        case .signatures: LedgerEntry.columns
        case .refusals: LedgerRefusals.columns
        case .events: eventColumns
        }
    }

    /// Reads such a row.
    fileprivate func eventRow(_ row: Row) throws -> EventRow {
        let (id, number) = (row.number(0), row.number(1))
        switch self {
        case .signatures:
            let entry = try LedgerEntry(row, from: 2)
            return EventRow(position: id, transaction: number, at: entry.signedAt, .signatures(entry))
        case .refusals:
            let refusals = try LedgerRefusals(row, from: 2)
            return EventRow(position: id, transaction: number, at: refusals.refusedAt, .refusals(refusals))
        case .events:
            let event = AuditEntry(self, row, from: 2).event
            return EventRow(position: id, transaction: number, at: event.at, .change(event))
        }
    }
}
