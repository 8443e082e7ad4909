import EligibilityRules

extension Ownership {
    /// Takes Apple's name in receipts and signed data; nil if no name is stated.
    init?(appleText: String?) {
        switch appleText {
        case nil: return nil
        case "PURCHASED": self = .purchased
        case "FAMILY_SHARED": self = .familyShared
        case "ASSIGNED": self = .assigned
        default: self = .unrecognised
        }
    }
}

extension PurchaseEnvironment {
    /// Takes Apple's name in receipts, notifications and signed data; nil if no name is stated.
    init?(appleText: String?) {
        switch appleText {
        case nil: return nil
        case "Production", "PROD": self = .production
        case "Sandbox": self = .sandbox
        case "Xcode", "LocalTesting": self = .local
        default: self = .unrecognised
        }
    }
}
