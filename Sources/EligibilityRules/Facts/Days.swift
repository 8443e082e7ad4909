/// Days of 24 hours.
enum Days {
    /// The length of a day in ms.
    static let length: Int64 = 24 * 3600 * 1000

    /// Returns the whole days from `start` to `end`; 0 if `end` is not later.
    static func between(_ start: Instant, _ end: Instant) -> Int64 { max(0, end.milliseconds(since: start)) / length }
}
