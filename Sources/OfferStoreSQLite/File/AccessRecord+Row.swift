import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

extension AccessRecord {
    init(row: Row) {
        let apps: String? = row["apps"]
        self.init(
            id: row["id"],
            secretDigest: Array(row["secret_digest"] as Data),
            role: row["role"],
            apps: apps.map(Array.init(lines:)),
            note: row["note"],
            lifetime: AccessLifetime(
                createdAt: Instant(milliseconds: row["created_at"]), createdBy: row["created_by"],
                expiresAt: (row["expires_at"] as Int64?).map { Instant(milliseconds: $0) },
                revokedAt: (row["revoked_at"] as Int64?).map { Instant(milliseconds: $0) }),
            timeZone: row["time_zone"],
            lastUsedAt: (row["used_at"] as Int64?).map { Instant(milliseconds: $0) }
        )
    }
}
