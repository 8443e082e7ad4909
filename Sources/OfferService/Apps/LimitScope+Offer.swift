package import EligibilityRules
package import OfferStore

extension LimitScope {
    // No id contains it: it separates what is signed.
    private static let separator = "\u{2063}"

    /// That of one offer, in one environment.
    package convenience init(bundleID: String, environment: PurchaseEnvironment, productID: String, offerID: String) {
        let parts = [bundleID, "\(environment.rawValue)", productID, offerID, ""]
        self.init(parts.joined(separator: Self.separator))
    }
}
