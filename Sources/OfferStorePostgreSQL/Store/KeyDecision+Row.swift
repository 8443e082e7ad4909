import EligibilityRules
import OfferStore

extension KeyDecision {
    /// The columns of `key_decision` that `init(_:)` reads.
    static let columns = "key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint"

    /// Reads these columns of a row, beginning with the column `first`.
    init(_ row: Row, from first: Int32 = 0) {
        self.init(
            keyID: row.text(first), bundleID: row.text(first + 1), state: row.text(first + 2), decidedAt: row.instant(first + 3),
            decidedBy: row.text(first + 4), reason: row.text(first + 5), fingerprint: row.optionalText(first + 6))
    }
}
