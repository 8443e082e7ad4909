// The names under which values are shown and printed.

extension PurchaseEnvironment {
    /// The App Store's name of the environment, or `unrecognised`.
    public var name: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .local: "Xcode"
        case .unrecognised: "unrecognised"
        }
    }
}

extension Ownership {
    /// The name, in lower case.
    public var name: String {
        switch self {
        case .purchased: "purchased"
        case .familyShared: "family-shared"
        case .assigned: "assigned"
        case .unrecognised: "unrecognised"
        }
    }
}

extension ProductKind {
    /// The name, in lower case.
    public var name: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewingSubscription: "non-renewing-subscription"
        case .autoRenewableSubscription: "auto-renewable-subscription"
        case .unrecognised: "unrecognised"
        }
    }
}

extension RedeemedOffer.Kind {
    /// The name, in lower case.
    public var name: String {
        switch self {
        case .introductory: "introductory"
        case .promotional: "promotional"
        case .offerCode: "offer-code"
        case .winBack: "win-back"
        case .retention: "retention"
        case .unrecognised: "unrecognised"
        }
    }
}

extension Source {
    /// The name, in lower case.
    public var name: String {
        switch self {
        case .notificationV1: "notification-v1"
        case .receipt: "receipt"
        case .signedData: "signed-data"
        }
    }
}
