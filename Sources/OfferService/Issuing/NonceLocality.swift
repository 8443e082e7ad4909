import OfferSigning
import Synchronization

/// Keeps the nonces of requests that come one after another near each other in the ledger's index, which would cost a page, read and
/// written, for each of them otherwise.
///
/// The series of some requests share their first 16 bits, their prefix, and draw the other 44 random bits anew each time. Two under one
/// prefix are the same with a chance of 2⁻⁴⁴, which the ledger would take for a replay; `seriesPerPrefix` is so small that this happens
/// to less than one request in 10¹⁰.
final class NonceLocality: Sendable {
    private struct State {
        var prefix: [UInt8] = []
        var left = 0
    }

    private static let prefixLength = 2
    /// How many random parts begin with one prefix.
    static let seriesPerPrefix = 1024

    private let state = Mutex(State())

    /// Puts the present prefix in front of random bytes, which nobody else has; every now and then their own becomes the next one.
    func prefixed(_ random: [UInt8]) -> [UInt8] {
        state.withLock { state in
            if state.left == 0 { state = State(prefix: Array(random.prefix(Self.prefixLength)), left: Self.seriesPerPrefix) }
            state.left -= 1
            return state.prefix + random.dropFirst(Self.prefixLength)
        }
    }
}
