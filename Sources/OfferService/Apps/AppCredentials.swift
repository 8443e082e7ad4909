/// What the App Store knows the service of an app by.
package struct AppCredentials: Sendable {
    /// The issuer id from App Store Connect, which a JWS and the App Store Server API need.
    package let issuerID: String?
    /// The shared secret, which authenticates notifications V1 and which verifyReceipt needs.
    package let sharedSecret: String?

    package init(issuerID: String? = nil, sharedSecret: String? = nil) {
        self.issuerID = issuerID
        self.sharedSecret = sharedSecret
    }

    /// Neither.
    package static let none = AppCredentials()
}
