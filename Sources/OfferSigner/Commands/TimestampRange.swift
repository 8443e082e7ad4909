import ArgumentParser

/// What the commands take for a timestamp.
enum TimestampRange {
    /// Milliseconds since 1970 that JSON can carry exactly.
    static let allowed: ClosedRange<Int64> = 0...9_007_199_254_740_991

    /// Throws for a value that no clock shows.
    static func check(_ timestamp: Int64) throws {
        guard allowed.contains(timestamp) else {
            throw ValidationError("--timestamp must be from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
    }
}
