import EligibilityRules
import OfferStore

extension KeyDecision {
    /// The columns of `key_decision` that `init(_:)` reads.
    static let columns = "key_id, bundle_id, state, decided_at, decided_by, reason"

    /// Reads these columns of a row.
    init(_ row: Row) {
        self.init(
            keyID: row.text(0), bundleID: row.text(1), state: row.text(2), decidedAt: row.instant(3), decidedBy: row.text(4),
            reason: row.text(5))
    }
}
