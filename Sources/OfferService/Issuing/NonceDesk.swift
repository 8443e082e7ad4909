package import EligibilityRules
package import FoundationEssentials
package import OfferSigning

/// Hands out nonces and looks at those that come back.
package struct NonceDesk: Sendable {
    let seal: NonceSeal
    package let system: SystemEnvironment
    private let locality = NonceLocality()
    /// What the secret of the seal is called in the store.
    package static let secretName = "nonce-seal"

    package init(seal: NonceSeal, system: SystemEnvironment) {
        self.seal = seal
        self.system = system
    }

    /// A nonce to be used some time, and until when (ms since 1970): it has nothing in common with any other.
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

    /// Where a nonce comes from.
    package func check(_ nonce: UUID, app: App, caller: Caller, now: Instant) -> NonceSeal.Origin {
        seal.check(nonce, app: app.bundleID, caller: caller.id, now: now.milliseconds)
    }
}
