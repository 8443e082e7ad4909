import EligibilityRules
import GRDB
import OfferStore

extension KeyDecision {
    /// Reads a row of `key_decision`.
    init(row: Row) {
        self.init(
            keyID: row["key_id"], bundleID: row["bundle_id"], state: row["state"],
            decidedAt: Instant(milliseconds: row["decided_at"]), decidedBy: row["decided_by"], reason: row["reason"],
            fingerprint: row["fingerprint"])
    }
}
