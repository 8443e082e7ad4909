/// A page of deliveries, the latest first.
package struct EventPage: Sendable {
    package let lines: [EventLine]
    private let hasMore: Bool

    init(lines: [EventLine], hasMore: Bool) {
        self.lines = lines
        self.hasMore = hasMore
    }

    /// The number before which the next page begins; nil at the end.
    package var next: Int64? { hasMore ? lines.last?.number : nil }
}
