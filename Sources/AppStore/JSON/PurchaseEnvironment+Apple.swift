import EligibilityRules

extension PurchaseEnvironment {
    /// As receipts, notifications and signed data name it; nil where it is not stated.
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
