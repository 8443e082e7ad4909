package import EligibilityRules
package import FoundationEssentials
package import OfferSigning
import Synchronization

/// Issues nonces, and checks those that come back.
package struct NonceDesk: Sendable {
    let seal: NonceSeal
    package let system: SystemEnvironment
    private let locality = NonceLocality()
    /// The name of the seal's secret in the store.
    package static let secretName = "nonce-seal"

    package init(seal: NonceSeal, system: SystemEnvironment) {
        self.seal = seal
        self.system = system
    }

    /// A nonce for later use, and its expiry (ms since 1970). It shares no prefix with others.
    package func issue(app: App, caller: Caller, now: Instant) throws(SigningError) -> (nonce: UUID, expiresAt: Int64) {
        var series = series(try system.randomBytes(NonceSeal.randomByteCount), app, caller, now)
        return (try series.next(), series.expiresAt)
    }

    /// Nonces for the signatures of one request, which are recorded together.
    func series(app: App, caller: Caller, now: Instant) throws(SigningError) -> NonceSeries {
        series(locality.prefixed(try system.randomBytes(NonceSeal.randomByteCount)), app, caller, now)
    }

    private func series(_ random: [UInt8], _ app: App, _ caller: Caller, _ now: Instant) -> NonceSeries {
        seal.series(app: app.bundleID, caller: caller.id, now: now.milliseconds, random: random)
    }

    /// The origin of a nonce.
    package func check(_ nonce: UUID, app: App, caller: Caller, now: Instant) -> NonceSeal.Origin {
        seal.check(nonce, app: app.bundleID, caller: caller.id, now: now.milliseconds)
    }
}

/// Keeps the nonces of consecutive requests near each other in the ledger's index.
///
/// Otherwise a page of the index would have to be read and written for each nonce.
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

    /// Replaces the start of fresh random bytes with the present prefix.
    ///
    /// After `seriesPerPrefix` calls their own start becomes the next prefix.
    func prefixed(_ random: [UInt8]) -> [UInt8] {
        state.withLock { state in
            if state.left == 0 { state = State(prefix: Array(random.prefix(Self.prefixLength)), left: Self.seriesPerPrefix) }
            state.left -= 1
            return state.prefix + random.dropFirst(Self.prefixLength)
        }
    }
}
