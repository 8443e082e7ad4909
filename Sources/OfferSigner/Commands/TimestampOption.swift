import ArgumentParser
import OfferService

/// The check that every `--timestamp` goes through.
enum TimestampOption {
    /// Throws for a value that no clock shows.
    static func check(_ timestamp: Int64) throws {
        let allowed = SigningClock.timestamps
        guard allowed.contains(timestamp) else {
            throw ValidationError("--timestamp must be from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
    }
}
