public import EligibilityRules
import FoundationEssentials
import WireText

/// The App Store's request for what to show a subscriber who is about to cancel. Its signature has been verified.
public struct RetentionRequest: Equatable, Sendable {
    /// The subscription.
    public let originalTransactionID: String
    /// The app's id in the App Store; the request names no bundle id.
    let appAppleID: Int64?
    /// The product that the customer has.
    public let productID: String
    /// The device's locale, as in `en-US`; nil if not stated.
    public let userLocale: String?
    /// The id that identifies repetitions: a UUID in lower case.
    public let requestIdentifier: String
    /// The environment of the subscription; nil for one that is not recognised.
    public let environment: AppStoreEnvironment?
    /// When the App Store signed it.
    public let signedDate: Instant
    /// Fields that are not recognised.
    public let unrecognisedFields: [String]

    private static let fields: Set<String> = [
        "originalTransactionId", "appAppleId", "productId", "userLocale", "requestIdentifier", "environment", "signedDate",
    ]

    /// Nil if the payload lacks the subscription, the product, its id or the date of its signature.
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
