/// What `offersigner init` asks about the app, in order. The raw value is the name of its option.
enum SetupQuestion: String, CaseIterable {
    case bundleID = "bundle-id"
    case issuerID = "issuer-id"
    case appleID = "apple-id"
    case groupID = "group-id"
    case productID = "product-id"
    case period
    case offerID = "offer-id"
    case offerKind = "offer-kind"
    case offerPeriod = "offer-period"

    /// The question, which the option's help shows, too.
    var text: String {
        switch self {
        case .bundleID: "Bundle id of the app, such as \(example)"
        case .issuerID: "Issuer id, above the keys in App Store Connect; JWS and the Server API need it"
        case .appleID: "Apple ID of the app, a number under App Information; notifications need it"
        case .groupID: "Number of the subscription group, such as \(example)"
        case .productID: "Product id of a subscription, such as \(example)"
        case .period: "How long a period of it is: P1W, P1M, P2M, P3M, P6M or P1Y"
        case .offerID: "Promotional offer id of this product, as in App Store Connect"
        case .offerKind: "Kind of the offer: free-trial, pay-as-you-go or pay-up-front"
        case .offerPeriod: "How long the offer lasts, such as P1M, P3M or P1Y"
        }
    }

    /// A possible answer.
    var example: String {
        switch self {
        case .bundleID: "com.example.app"
        case .issuerID: "57246542-96fe-1a63-e053-0824d011072a"
        case .appleID: "1234567890"
        case .groupID: "20563228"
        case .productID: "com.example.pro.monthly"
        case .period: "P1M"
        case .offerID: "loyalty20"
        case .offerKind: "pay-as-you-go"
        case .offerPeriod: "P3M"
        }
    }

    var isOptional: Bool { self == .issuerID || self == .appleID }

    /// The answer's place in the configuration.
    var path: String {
        let (app, product) = ("apps[0]", "apps[0].subscriptionGroups[0].products[0]")
        return switch self {
        case .bundleID: "\(app).bundleId"
        case .issuerID: "\(app).issuerId"
        case .appleID: "\(app).appAppleId"
        case .groupID: "\(app).subscriptionGroups[0].id"
        case .productID: "\(product).id"
        case .period: "\(product).period"
        case .offerID: "\(product).promotionalOffers[0].id"
        case .offerKind: "\(product).promotionalOffers[0].kind"
        case .offerPeriod: "\(product).promotionalOffers[0].period"
        }
    }
}
