public import EligibilityRules
import FoundationEssentials
import WireText

/// The App Store's question what to show a subscriber who is about to cancel. Its signature has been verified.
public struct RetentionRequest: Equatable, Sendable {
    /// The original transaction id of the subscription.
    public let originalTransactionID: String
    /// The app's id in the App Store; the request names no bundle id.
    let appAppleID: Int64?
    /// The product that the customer has.
    public let productID: String
    /// The device's locale, as in `en-US`; nil if not stated.
    public let userLocale: String?
    /// Apple's id of the request, a UUID in lower case, which stays the same when the request is sent again.
    public let requestIdentifier: String
    /// The environment of the subscription; nil for one that is not recognised.
    public let environment: AppStoreEnvironment?
    /// When the App Store signed it.
    public let signedDate: Instant
    /// The names of the fields that are not recognised.
    public let unrecognisedFields: [String]

    private static let fields: Set<String> = [
        "originalTransactionId", "appAppleId", "productId", "userLocale", "requestIdentifier", "environment", "signedDate",
    ]

    /// Returns nil if the payload lacks the subscription, the product, the request's id or the signing date.
    init?(_ payload: JSONValue) {
        guard let object = AppleObject(payload), let originalTransactionID = object.text("originalTransactionId"),
            let productID = object.text("productId"), let signedDate = object.instant("signedDate"),
            let requestIdentifier = object.text("requestIdentifier").flatMap(UUID.init(text:))
        else { return nil }
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.signedDate = signedDate
        self.requestIdentifier = requestIdentifier.lowerCaseString
        appAppleID = object.integer("appAppleId")
        userLocale = object.text("userLocale")
        environment = object.environment
        unrecognisedFields = object.names.filter { !Self.fields.contains($0) }
    }
}
