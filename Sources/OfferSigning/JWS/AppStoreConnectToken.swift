import WireText

/// A token that authorises a request to the App Store Connect API (docs/catalogue.md).
public struct AppStoreConnectToken: Sendable {
    /// The longest lifetime that App Store Connect accepts for most requests, in seconds.
    public static let maxLifetime: Int64 = 1200

    /// The issuer id of a team key; nil for an individual key, which acts for one person and has no issuer id.
    public let issuerID: String?
    /// When the token is issued, in seconds since 1970.
    public let issuedAt: Int64
    /// The lifetime in seconds.
    public let lifetime: Int64

    /// - Parameters:
    ///   - issuerID: the issuer id of a team key; nil for an individual key.
    ///   - issuedAt: when the token is issued, in seconds since 1970.
    ///   - lifetime: the lifetime in seconds, from 1 to `maxLifetime`.
    public init(issuerID: String?, issuedAt: Int64, lifetime: Int64) {
        precondition((1...AppStoreConnectToken.maxLifetime).contains(lifetime))
        self.issuerID = issuerID
        self.issuedAt = issuedAt
        self.lifetime = lifetime
    }

    /// The claims as JSON.
    var json: [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: issuerID == nil ? #"{"sub":"# : #"{"iss":"#)
            json.append(issuerID ?? "user")
            json.append(raw: #","iat":"#)
            json.append(issuedAt)
            json.append(raw: #","exp":"#)
            json.append(issuedAt + lifetime)
            json.append(raw: #","aud":"appstoreconnect-v1"}"#)
        }
    }
}
