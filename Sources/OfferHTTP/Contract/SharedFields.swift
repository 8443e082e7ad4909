import OfferService
import WireText

/// The fields that several requests or answers have in common, and that the document describes in the same words.
extension Field {
    static let next = Field("next", .text.orNull, "What to give as `after` for the rest; null where there is none.")

    static let bundleID = Field(
        optional: "bundleId", .name.orNull,
        "The app. May be left out when the access key is limited to one app, or when the service has just one app.",
        example: "com.example.app")

    static let reason = Field(
        optional: "reason", .text(within: .reason).orNull, "Why, in your words; it is kept.", example: "looks right")

    static let price = Field(
        "price", .integer.orNull,
        """
        What was charged, all seats together, before refunds, in thousandths of the currency's unit: 9990 are 9.99. \
        Null where the App Store has not said it.
        """)

    static let paid = Field(
        "paid", .integer.orNull,
        """
        What the customer has paid of it, less refunds, in the same unit: 0 if it was free or wholly refunded, or if \
        another person pays. Null where the price or the refund is not known.
        """)

    static let environment = Field(
        optional: "environment", .named("Environment"),
        """
        The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only \
        where the app accepts it (`sandbox: true`). `Xcode` only where the app has the key of StoreKit Testing \
        (`xcodeKey`).
        """)

    static let appTransactionID = Field(
        optional: "appTransactionId", .transactionID.orNull,
        """
        The Apple account, by its `appTransactionId` for the app, which every transaction and AppTransaction \
        carries. Its purchases count as the customer's, except those of another customer. Not with a token of an end \
        user: 403.
        """,
        example: "704289572311513293")

    static let billingPlan = Field(
        optional: "billingPlan", .one(of: "upfront", "monthly").orNull,
        """
        The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is \
        paid monthly. Left out: `upfront`. App Store Connect configures each offer for one plan, so an offer of the other \
        plan is no offer.
        """,
        example: "upfront")

    static let signedAppTransaction = Field(
        optional: "signedAppTransaction", .someText.orNull,
        """
        StoreKit's AppTransaction of the customer (`jwsRepresentation`). It is verified and not stored. It proves the Apple \
        account also of a customer who has bought nothing, so that campaigns can assign a variant.
        """)

    static let productID = Field(
        "productId", .name,
        "The product id of the subscription, from the catalogue.",
        example: "com.example.pro.monthly")

    static let offerID = Field("offerId", .name, "The id of the promotional offer, from the catalogue.", example: "winback50")

    static let customerID = Field(
        optional: "customerId", .name.orNull,
        """
        The app's own user id. The subscriptions that this request brings are bound to this customer, unless they \
        are bound already.
        """,
        example: "u-123")

    static let nonce = Field(
        "nonce", .nonce, "The nonce, a lower-case version-4 UUID.", example: "20fba8a0-2b80-4a7d-a17f-85c1854727f8")

    static let keyIdentifier = Field("keyIdentifier", .name, "The id of the key that signed.", example: "ABCDEFGHIJ")

    static let customerOrSubject = Field(
        optional: "customerId", .name.orNull,
        """
        The app's own user id. The subscriptions that this request brings are bound to this customer, unless they \
        are bound already. With a token of an end user its `sub` counts in place of this.
        """,
        example: "u-123")

    static let appAccountToken = Field(
        optional: "appAccountToken", .uuid.orNull,
        """
        The UUID that the app gives StoreKit as appAccountToken, in any case. With a token of an end user only their \
        own: else 403.
        """,
        example: "7e3fb20b-4cdb-47cc-936d-99d65f608138")

    static let transactionID = Field(
        optional: "transactionId", .transactionID.orNull,
        "Any transaction id of the customer. Not with a token of an end user: 403.",
        example: "2000000123456789")

    static let placement = Field(
        optional: "placement", .name.orNull,
        """
        Where in the app offers are asked for. Campaigns for another placement pass the customer over; left out, \
        those of every placement decide. `retention` is the App Store's own and refused.
        """,
        example: "paywall")

    static let attributes = Field(
        optional: "attributes",
        .attributes,
        """
        What the app knows of the customer, for the audiences of campaigns. It is not verified. `null` stands for \
        absent. `storefront` and `appVersion` are kept with the exposure.
        """,
        example: JSONValue(json: #"{"country": "US", "appVersion": "2.10.1"}"#))
}

extension Schema {
    /// What an app knows about a customer, as attributes with the names that campaigns use; or null.
    static let attributes = Schema.anyObject.with("maxProperties", 50).with(
        "propertyNames", JSONValue(json: #"{"minLength": 1, "maxLength": 255, "pattern": "^[^\\x00\u2063]*$"}"#)
    ).with(
        "additionalProperties",
        JSONValue(
            json:
                #"{"description": "A text, a finite number or a Boolean.", "type": ["string", "number", "boolean", "null"], "maxLength": 255, "pattern": "^[^\\x00\u2063]*$"}"#
        )
    ).orNull
}
