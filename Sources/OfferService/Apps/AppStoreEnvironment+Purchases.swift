import AppStore
package import EligibilityRules
package import OfferStore

extension AppStoreEnvironment {
    /// The environment as the eligibility rules name it.
    package var purchases: PurchaseEnvironment {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        case .xcode, .localTesting: .local
        }
    }
}

extension LimitScope {
    // U+2063 is also the separator of the fields in Apple's signed payload, so no id contains it.
    private static let separator = "\u{2063}"

    /// The scope of one offer in one environment.
    package convenience init(bundleID: String, environment: PurchaseEnvironment, productID: String, offerID: String) {
        let parts = [bundleID, "\(environment.rawValue)", productID, offerID, ""]
        self.init(parts.joined(separator: Self.separator))
    }
}
