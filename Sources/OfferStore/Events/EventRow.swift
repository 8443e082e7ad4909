package import EligibilityRules

/// A row that events are made of, and its place in the order of rows.
package struct EventRow: Sendable {
    /// The order of rows from different sources.
    package struct Order: Comparable, Sendable {
        /// A number of the transaction that wrote the row, which rises with time; 0 where the store has none.
        package let transaction: Int64
        /// When the row was written.
        package let at: Instant

        package static func < (left: Order, right: Order) -> Bool {
            (left.transaction, left.at) < (right.transaction, right.at)
        }
    }

    /// The row's place in its source.
    ///
    /// A row that is committed later has a higher place.
    package let position: Int64
    /// The row's place among the rows of all sources.
    package let order: Order
    /// The content of the row.
    package let source: EventSource

    package init(position: Int64, transaction: Int64 = 0, at: Instant, _ source: EventSource) {
        self.position = position
        order = Order(transaction: transaction, at: at)
        self.source = source
    }
}
