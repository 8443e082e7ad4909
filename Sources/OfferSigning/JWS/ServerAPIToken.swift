import WireText

/// A token that authorises a request to the App Store Server API (docs/app-store.md#server-api).
public struct ServerAPIToken: Sendable {
    /// The longest lifetime that the App Store accepts, in seconds.
    public static let maxLifetime: Int64 = 3600

    /// The issuer id from App Store Connect.
    public let issuerID: String
    /// The app's bundle id.
    public let bundleID: String
    /// The time of issue, seconds since 1970.
    public let issuedAt: Int64
    /// The lifetime in seconds.
    public let lifetime: Int64

    /// - Parameters:
    ///   - issuedAt: seconds since 1970.
    ///   - lifetime: seconds, from 1 to `maxLifetime`; 300 is usual.
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
