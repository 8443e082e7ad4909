import WireText

/// What a request to the App Store Connect API is authorised with (docs/catalogue.md).
public struct AppStoreConnectToken: Sendable {
    /// The longest life that App Store Connect grants as a rule, in seconds.
    public static let maxLifetime: Int64 = 1200

    /// Issuer id of a team key; nil for the key of one person, which speaks for that person.
    public let issuerID: String?
    /// Seconds since 1970.
    public let issuedAt: Int64
    /// Seconds.
    public let lifetime: Int64

    /// - Parameters:
    ///   - issuerID: that of a team key; nil for an individual key.
    ///   - issuedAt: seconds since 1970.
    ///   - lifetime: seconds, from 1 to `maxLifetime`.
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
