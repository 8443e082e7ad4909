import AppStore
import EligibilityRules
import OfferService

/// One app as configured.
struct AppConfiguration {
    let bundleID: String
    let appAppleID: Int64?
    let issuerID: String?
    let environment: AppStoreEnvironment
    let takesSandbox: Bool
    let sharedSecret: String?
    let enforcement: App.Enforcement
    let introductoryOverrides: App.IntroductoryOverrides
    let transfer: App.Transfer
    let writesAppAccountToken: Bool
    let twoPersonKeys: Bool
    /// Nil: its users do not ask by themselves.
    let endUserTokens: EndUserTokens?
    let policy: EligibilityPolicy
    let catalogue: Catalogue
}
