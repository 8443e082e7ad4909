/// The next rows of one source, in the order of their positions.
package struct EventSlice: Sendable {
    /// The source's name, under which its position is stored.
    package let source: String
    /// The rows.
    package let rows: [EventRow]
    /// Whether there may be more.
    package let isFull: Bool

    /// - Parameter limit: how many rows were read at most.
    package init(_ source: String, _ rows: [EventRow], limit: Int) {
        self.source = source
        self.rows = rows
        isFull = rows.count >= limit
    }
}
