import EligibilityRules

extension PurchaseEnvironment {
    /// Reads the name in receipts, notifications and signed data; nil where it is not stated.
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
