// What values are called wherever they are shown.

extension PurchaseEnvironment {
    /// As the App Store calls it; `unrecognised` for one that nobody knew when this was written.
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
    /// In lower case.
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
    /// In lower case.
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
    /// In lower case.
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
    /// In lower case.
    public var name: String {
        switch self {
        case .notificationV1: "notification-v1"
        case .receipt: "receipt"
        case .signedData: "signed-data"
        }
    }
}
