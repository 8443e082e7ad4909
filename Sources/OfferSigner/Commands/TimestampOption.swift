import ArgumentParser
import OfferService

/// The check of every `--timestamp`.
enum TimestampOption {
    /// Throws for a value outside the range of clocks.
    static func check(_ timestamp: Int64) throws {
        let allowed = SigningClock.timestamps
        guard allowed.contains(timestamp) else {
            throw ValidationError("--timestamp must be from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
    }
}
