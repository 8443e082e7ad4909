import OfferService
import WireText

/// Access keys as the API shows them.
enum AccessJSON {
    /// Returns a key without its secret.
    static func key(_ key: AccessKey) -> JSONValue { self.key(key, secret: nil) }

    /// - Parameter secret: the whole access key, shown once.
    static func key(_ key: AccessKey, secret: String?) -> JSONValue {
        .members([
            "id": .string(key.id), "role": .string(key.role), "bundleIds": key.apps.map(JSONValue.texts) ?? .null,
            "note": .string(key.note), "timeZone": .string(key.timeZone), "createdAt": .instant(key.createdAt),
            "createdBy": .text(key.createdBy), "expiresAt": .instant(key.expiresAt), "lastUsedAt": .instant(key.lastUsedAt),
            "revokedAt": .instant(key.revokedAt), "accessKey": secret.map(JSONValue.string),
        ])
    }
}
