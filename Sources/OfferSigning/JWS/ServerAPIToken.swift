import WireText

/// A token that authorises a request to the App Store Server API (docs/app-store.md#server-api).
public struct ServerAPIToken: Sendable {
    /// The longest lifetime that the App Store accepts, in seconds.
    public static let maxLifetime: Int64 = 3600

    /// The issuer id from App Store Connect.
    public let issuerID: String
    /// The app's bundle id.
    public let bundleID: String
    /// When the token is issued, in seconds since 1970.
    public let issuedAt: Int64
    /// The lifetime in seconds.
    public let lifetime: Int64

    /// - Parameters:
    ///   - issuedAt: when the token is issued, in seconds since 1970.
    ///   - lifetime: the lifetime in seconds, from 1 to `maxLifetime`. The usual lifetime is 300.
    public init(issuerID: String, bundleID: String, issuedAt: Int64, lifetime: Int64) {
        precondition((1...ServerAPIToken.maxLifetime).contains(lifetime))
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.issuedAt = issuedAt
        self.lifetime = lifetime
    }

    /// The claims as JSON.
    var json: [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"iss":"#)
            json.append(issuerID)
            json.append(raw: #","iat":"#)
            json.append(issuedAt)
            json.append(raw: #","exp":"#)
            json.append(issuedAt + lifetime)
            json.append(raw: #","aud":"appstoreconnect-v1","bid":"#)
            json.append(bundleID)
            json.append(raw: "}")
        }
    }
}
