package import EligibilityRules

/// Merges the new rows of several sources into one order, in which their events are made.
///
/// If a request began after another one was answered, its row comes later in the order. Therefore rows of the same source stay in
/// their order. A row waits as long as another source may have an earlier row that was not read yet.
package struct EventRound: Sendable {
    /// An event with the endpoints that receive it.
    package typealias Addressed = (event: ServiceEvent, endpoints: [String])

    /// If a row's time is further ahead of now than this, in ms, a wrong clock has written it.
    private static let tolerance: Int64 = 60_000

    /// The rows that need not wait, in order.
    package let rows: [EventSource]
    /// The position of the last row of each source that has any.
    package let positions: [String: Int64]

    /// - Parameters:
    ///   - slices: the next rows of each source.
    ///   - now: the time before the first source was read. Rows of a later time wait, because an earlier row of another source
    ///     may have been missed. Nil if all sources were read in one snapshot.
    package init(_ slices: [EventSlice], now: Instant?) {
        let ordered = slices.map { slice in (slice, Self.rising(slice.rows, now)) }
        let ends = ordered.compactMap { slice, orders in slice.isFull ? orders.last : nil }
        var taken: [(order: EventRow.Order, row: EventRow)] = []
        var positions: [String: Int64] = [:]
        for (slice, orders) in ordered {
            let count = orders.prefix { order in now.map { order.at <= $0 } ?? true && ends.allSatisfy { order <= $0 } }.count
            guard count > 0 else { continue }
            taken += zip(orders, slice.rows).prefix(count).map { ($0, $1) }
            positions[slice.source] = slice.rows[count - 1].position
        }
        // The sort is stable, so that rows of one source stay in order.
        rows = taken.sorted { $0.order < $1.order }.map(\.row.source)
        self.positions = positions
    }

    /// Makes the events of the rows, and returns those that at least one endpoint subscribes to.
    package func events(for subscriptions: [EventSubscription], _ render: EventStore.Render) -> [Addressed] {
        rows.flatMap(render).compactMap { event in
            let endpoints = subscriptions.filter { $0.includes(event) }.map(\.endpoint)
            return endpoints.isEmpty ? nil : (event, endpoints)
        }
    }

    /// Returns an order for each row of a source. No order is lower than that of the row before.
    ///
    /// A row whose time is far ahead is treated as written now.
    private static func rising(_ rows: [EventRow], _ now: Instant?) -> [EventRow.Order] {
        var latest: EventRow.Order?
        return rows.map { row in
            var order = row.order
            if let now, order.at > now.advanced(by: tolerance) { order = EventRow.Order(transaction: order.transaction, at: now) }
            latest = max(latest ?? order, order)
            return latest!
        }
    }
}

/// The next rows of one source, in the order of their positions.
package struct EventSlice: Sendable {
    /// The source's name, under which its position is stored.
    package let source: String
    package let rows: [EventRow]
    /// Whether the source may have more rows.
    package let isFull: Bool

    /// - Parameter limit: how many rows were read at most.
    package init(_ source: String, _ rows: [EventRow], limit: Int) {
        self.source = source
        self.rows = rows
        isFull = rows.count >= limit
    }
}
