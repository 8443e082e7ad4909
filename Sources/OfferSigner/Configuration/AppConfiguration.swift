import AppStore
import EligibilityRules
import FoundationEssentials
import OfferService

/// One app as configured.
struct AppConfiguration {
    let bundleID: String
    let appAppleID: Int64?
    let issuerID: String?
    let environment: AppStoreEnvironment
    let takesSandbox: Bool
    /// Nil: nothing is signed for StoreKit Testing in Xcode.
    let xcodeKey: XcodeKey?
    let sharedSecret: String?
    let enforcement: App.Enforcement
    let introductoryOverrides: App.IntroductoryOverrides
    let transfer: App.Transfer
    let writesAppAccountToken: Bool
    let twoPersonKeys: Bool
    /// Nil: its users do not ask by themselves.
    let endUserTokens: EndUserTokens?
    /// What Retention Messaging shows when no campaign decides; nil: nothing of ours.
    let retentionMessage: UUID?
    let policy: EligibilityPolicy
    let catalogue: Catalogue

    /// Where the key of StoreKit Testing in Xcode is.
    struct XcodeKey {
        let id: String
        let file: String
    }
}
