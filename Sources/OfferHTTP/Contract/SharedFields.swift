import OfferService

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
}
