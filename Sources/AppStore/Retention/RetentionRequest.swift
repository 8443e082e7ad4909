public import EligibilityRules
import FoundationEssentials
import WireText

/// A request in which the App Store asks what to show a subscriber who is about to cancel. Its signature has been verified.
public struct RetentionRequest: Equatable, Sendable {
    /// The original transaction id of the subscription.
    public let originalTransactionID: String
    /// The app's id in the App Store. It is the only name of the app, because the request has no bundle id.
    let appAppleID: Int64?
    /// The product to which the customer is subscribed.
    public let productID: String
    /// The locale of the customer's device, such as `en-US`; nil if the request does not state it.
    public let userLocale: String?
    /// Apple's id of the request, a UUID in lower case, which stays the same when the request is sent again.
    public let requestIdentifier: String
    /// The environment of the subscription; nil if the request names none, or one that is not known here.
    public let environment: AppStoreEnvironment?
    /// When the App Store signed the request.
    public let signedDate: Instant
    /// The names of the fields that this version of the service does not know.
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
