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
    /// Nil: its users cannot send requests themselves.
    let endUserTokens: EndUserTokens?
    /// The message of Retention Messaging if no campaign decides; nil: none of ours.
    let retentionMessage: UUID?
    let refunds: RefundTerms
    let policy: EligibilityPolicy
    let catalogue: Catalogue

    /// The id and the file of the key of StoreKit Testing in Xcode.
    struct XcodeKey {
        let id: String
        let file: String
    }
}
