import AppStore
package import EligibilityRules

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
