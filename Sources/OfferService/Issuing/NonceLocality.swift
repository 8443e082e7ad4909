import OfferSigning
import Synchronization

/// Keeps the nonces of consecutive requests near each other in the ledger's index. Otherwise each costs a page, read and written.
///
/// The series of some requests share their first 16 bits, the prefix, and draw the other 44 random bits anew each time.
/// Two series with one prefix collide with a chance of 2⁻⁴⁴, which the ledger would take for a replay.
/// `seriesPerPrefix` is so small that this happens to less than one request in 10¹⁰.
final class NonceLocality: Sendable {
    private struct State {
        var prefix: [UInt8] = []
        var left = 0
    }

    private static let prefixLength = 2
    /// The number of random parts that begin with one prefix.
    static let seriesPerPrefix = 1024

    private let state = Mutex(State())

    /// Replaces the start of fresh random bytes with the present prefix. Periodically their own start becomes the next prefix.
    func prefixed(_ random: [UInt8]) -> [UInt8] {
        state.withLock { state in
            if state.left == 0 { state = State(prefix: Array(random.prefix(Self.prefixLength)), left: Self.seriesPerPrefix) }
            state.left -= 1
            return state.prefix + random.dropFirst(Self.prefixLength)
        }
    }
}
