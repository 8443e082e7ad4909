/// Days of 24 hours.
enum Days {
    /// In ms.
    static let length: Int64 = 24 * 3600 * 1000

    /// Whole days from one instant to a later one; 0 where it is not later.
    static func between(_ start: Instant, _ end: Instant) -> Int64 { max(0, end.milliseconds(since: start)) / length }
}
