import EligibilityRules
import FoundationEssentials
import OfferSigning

/// Hands out nonces and looks at those that come back.
struct NonceDesk: Sendable {
    let seal: NonceSeal
    let system: SystemEnvironment

    /// A new nonce for an app and a caller.
    func issue(app: App, caller: Caller, now: Instant) throws(SigningError) -> NonceSeal.Issued {
        let random = try system.randomBytes(NonceSeal.randomByteCount)
        return try seal.issue(app: app.bundleID, caller: caller.id, now: now.milliseconds, random: random)
    }

    /// Where a nonce comes from.
    func check(_ nonce: UUID, app: App, caller: Caller, now: Instant) -> NonceSeal.Verdict {
        seal.check(nonce, app: app.bundleID, caller: caller.id, now: now.milliseconds)
    }
}
