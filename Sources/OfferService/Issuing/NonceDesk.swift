package import EligibilityRules
package import FoundationEssentials
package import OfferSigning
import Synchronization

/// Issues nonces, and checks the nonces that requests bring back.
package struct NonceDesk: Sendable {
    let seal: NonceSeal
    package let system: SystemEnvironment
    private let locality = NonceLocality()
    /// The name under which the store has the secret of the seal.
    package static let secretName = "nonce-seal"

    package init(seal: NonceSeal, system: SystemEnvironment) {
        self.seal = seal
        self.system = system
    }

    /// A nonce for a later request, and when it expires, in ms since 1970. It does not get the prefix of `NonceLocality`.
    package func issue(app: App, caller: Caller, now: Instant) throws(SigningError) -> (nonce: UUID, expiresAt: Int64) {
        var series = series(try system.randomBytes(NonceSeal.randomByteCount), app, caller, now)
        return (try series.next(), series.expiresAt)
    }

    /// Nonces for the signatures of one request. They are recorded together.
    func series(app: App, caller: Caller, now: Instant) throws(SigningError) -> NonceSeries {
        series(locality.prefixed(try system.randomBytes(NonceSeal.randomByteCount)), app, caller, now)
    }

    private func series(_ random: [UInt8], _ app: App, _ caller: Caller, _ now: Instant) -> NonceSeries {
        seal.series(app: app.bundleID, caller: caller.id, now: now.milliseconds, random: random)
    }

    /// Where a nonce comes from: from this service for this app and caller, or from elsewhere.
    package func check(_ nonce: UUID, app: App, caller: Caller, now: Instant) -> NonceSeal.Origin {
        seal.check(nonce, app: app.bundleID, caller: caller.id, now: now.milliseconds)
    }
}

/// Keeps the nonces of consecutive requests near each other in the ledger's index.
///
/// Otherwise the database would have to read and write another page of the index for each nonce.
///
/// The series of some consecutive requests have the same first 16 bits, the prefix. Their other 44 random bits are new each time.
/// If two series with one prefix are equal, the ledger takes the second one for a replay. The chance of that is 2⁻⁴⁴ for each
/// pair.
/// `seriesPerPrefix` is so small that it happens to less than one request in 10¹⁰.
final class NonceLocality: Sendable {
    private struct State {
        var prefix: [UInt8] = []
        var left = 0
    }

    private static let prefixLength = 2
    /// The number of series that share one prefix.
    static let seriesPerPrefix = 1024

    private let state = Mutex(State())

    /// Replaces the first bytes of fresh random bytes by the present prefix.
    ///
    /// After every `seriesPerPrefix` calls, the first bytes of the next call become the new prefix.
    func prefixed(_ random: [UInt8]) -> [UInt8] {
        state.withLock { state in
            if state.left == 0 { state = State(prefix: Array(random.prefix(Self.prefixLength)), left: Self.seriesPerPrefix) }
            state.left -= 1
            return state.prefix + random.dropFirst(Self.prefixLength)
        }
    }
}
