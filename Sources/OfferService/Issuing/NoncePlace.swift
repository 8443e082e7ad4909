import OfferSigning
import Synchronization

/// Where in the ledger's index of nonces the next series fall: into one place for a while, then into another.
///
/// At places all over it each series would cost a page, read and written, of an index that grows with the ledger. So the series of
/// some requests share their first 16 bits, and draw the other 44 random bits anew each time. Two in one place are the same with a chance of
/// 2⁻⁴⁴, which the ledger would take for a replay; `stay` keeps so few in a place that this happens to less than one request in 10¹⁰.
final class NoncePlace: Sendable {
    private struct State {
        var prefix: [UInt8] = []
        var left = 0
    }

    private static let prefixLength = 2
    /// How many random parts are made in one place.
    static let stay = 1024

    private let state = Mutex(State())

    /// Moves random bytes, which nobody else has, to the present place; every now and then they start a new one.
    func place(_ random: [UInt8]) -> [UInt8] {
        state.withLock { state in
            if state.left == 0 { state = State(prefix: Array(random.prefix(Self.prefixLength)), left: Self.stay) }
            state.left -= 1
            return state.prefix + random.dropFirst(Self.prefixLength)
        }
    }
}
