import EligibilityRules

extension Ownership {
    /// As receipts and signed data name it; nil for names that nobody knows yet.
    init?(appleText: String?) {
        switch appleText {
        case "PURCHASED": self = .purchased
        case "FAMILY_SHARED": self = .familyShared
        default: return nil
        }
    }
}
