package import EligibilityRules
package import FoundationEssentials
package import OfferSigning

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
