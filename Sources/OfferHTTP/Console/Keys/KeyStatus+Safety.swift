import EligibilityRules
import OfferService

extension KeyDesk.KeyStatus {
    /// Whether nothing depends on the key any more, so that it can be revoked in App Store Connect.
    func isSafeToRevoke(at now: Instant) -> Bool { stateName == "retired" && safeToRevokeAt.map { $0 <= now } == true }
}
