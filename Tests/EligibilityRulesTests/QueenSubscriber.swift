import EligibilityRules

/// The subscriber of the real receipt in Tests/Fixtures/verify-receipt-response-ios7-subscription.json, built by hand.
enum QueenSubscriber {
    static let productID = "queen.plan1.super.1m.25yuan"
    static let group = "20563228"

    /// Transaction id, begin and end in ms; between the second and the third there are 99 seconds without.
    static let periods: [(id: String, begin: Int64, end: Int64)] = [
        ("1000000666265459", 1_589_798_237_000, 1_589_798_537_000),
        ("1000000666268121", 1_589_798_537_000, 1_589_798_837_000),
        ("1000000666271337", 1_589_798_936_000, 1_589_799_236_000),
        ("1000000666273486", 1_589_799_236_000, 1_589_799_536_000),
        ("1000000666276646", 1_589_799_536_000, 1_589_799_836_000),
        ("1000000666280122", 1_589_799_836_000, 1_589_800_136_000),
    ]

    private static let stamp = Stamp(asOf: Instant(milliseconds: 1_589_879_184_300), source: .receipt)

    static let chain = PurchaseChain(
        originalID: periods[0].id,
        groupID: group,
        beginning: .init(originallyPurchasedAt: Instant(milliseconds: 1_589_798_239_000)),
        environment: .sandbox,
        transactions: periods.map { id, begin, end in
            PurchaseTransaction(
                id: id,
                productID: productID,
                purchasedAt: Instant(milliseconds: begin),
                terms: .init(offer: id == periods[0].id ? RedeemedOffer(kind: .introductory) : nil),
                state: .init(expiry: Stamped(Instant(milliseconds: end), stamp), revocation: Stamped(.none, stamp))
            )
        },
        outlook: .init(renewal: Stamped(RenewalState(willRenew: false, isInBillingRetry: false, expirationIntent: 1), stamp))
    )

    /// The product, and the customer at an instant.
    static func customer(at now: Int64) -> (product: SubscriptionProduct, customer: Customer) {
        let product = SubscriptionProduct(
            id: productID,
            groupID: group,
            level: 1,
            period: "P1M",
            introductoryOffer: SubscriptionOffer(kind: .payAsYouGo, period: "P1M"),
            promotionalOffers: [:]
        )
        let customer = Customer(
            history: PurchaseHistory([chain]),
            completeness: .complete,
            catalogue: Catalogue(products: [product]),
            policy: EligibilityPolicy(environment: .sandbox),
            now: Instant(milliseconds: now)
        )
        return (product, customer)
    }
}
