import OfferSigning
import Synchronization

/// Where in the index of used nonces the next ones fall: into one place for a while, then into another.
///
/// Nonces that are signed at once are entered into that index at once. At places all over it, each entry would cost a page, read and
/// written, of an index that grows with the ledger. So the random parts of the signatures' nonces share their first 16 bits, and draw
/// the other 50 anew each time. Two in one place meet with a chance of 2⁻⁵⁰, and `stay` keeps few enough there that this adds
/// nothing to what 66 bits allow over a whole ledger.
final class NoncePlace: Sendable {
    private struct State {
        var prefix: [UInt8] = []
        var left = 0
    }

    private static let prefixLength = 2
    /// How many random parts are made in one place.
    static let stay = 4096

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
