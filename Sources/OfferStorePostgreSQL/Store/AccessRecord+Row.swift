import EligibilityRules
import OfferStore

extension AccessRecord {
    /// The columns of `access` and `access_use` that `init(_:)` reads.
    static let columns =
        "id, secret_digest, role, apps, note, created_at, expires_at, revoked_at, created_by, time_zone, used_at"

    /// Reads these columns of a row.
    init(_ row: Row) {
        self.init(
            id: row.text(0), secretDigest: row.bytes(1), role: row.text(2), apps: row.optionalText(3).map(Array.init(lines:)),
            note: row.text(4),
            lifetime: AccessLifetime(
                createdAt: row.instant(5), createdBy: row.optionalText(8), expiresAt: row.optionalInstant(6),
                revokedAt: row.optionalInstant(7)), timeZone: row.optionalText(9), lastUsedAt: row.optionalInstant(10))
    }
}
