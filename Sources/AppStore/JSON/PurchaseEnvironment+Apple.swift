import EligibilityRules

extension PurchaseEnvironment {
    /// As receipts, notifications and signed data name it; nil for names that nobody knows yet.
    init?(appleText: String?) {
        switch appleText {
        case "Production", "PROD": self = .production
        case "Sandbox": self = .sandbox
        case "Xcode", "LocalTesting": self = .local
        default: return nil
        }
    }
}
