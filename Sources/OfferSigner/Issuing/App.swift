import EligibilityRules

/// One app that offers are signed for.
struct App: Sendable {
    let bundleID: String
    /// From App Store Connect; a JWS needs it.
    let issuerID: String?
    let catalogue: Catalogue
}
