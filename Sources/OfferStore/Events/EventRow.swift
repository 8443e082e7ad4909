package import EligibilityRules

/// A row that events are made of, with its place.
package struct EventRow: Sendable {
    /// Orders the rows of different sources.
    package struct Order: Comparable, Sendable {
        /// A number of the transaction that wrote the row, which rises with time; 0 where the store has none.
        package let transaction: Int64
        /// When it was written.
        package let at: Instant

        package static func < (left: Order, right: Order) -> Bool {
            (left.transaction, left.at) < (right.transaction, right.at)
        }
    }

    /// Its place in its source, which rises in the order of commits.
    package let position: Int64
    /// Its place among the rows of all sources.
    package let order: Order
    /// What it contains.
    package let source: EventSource

    package init(position: Int64, transaction: Int64 = 0, at: Instant, _ source: EventSource) {
        self.position = position
        order = Order(transaction: transaction, at: at)
        self.source = source
    }
}
