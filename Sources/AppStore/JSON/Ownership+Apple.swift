import EligibilityRules

extension Ownership {
    /// As receipts and signed data name it; nil where it is not stated.
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
