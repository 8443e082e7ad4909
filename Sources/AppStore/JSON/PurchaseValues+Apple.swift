import EligibilityRules

extension Ownership {
    /// Reads the name that Apple uses in receipts and signed data. Returns nil if the data has no name.
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
    /// Reads the name that Apple uses in receipts, notifications and signed data. Returns nil if the data has no name.
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
