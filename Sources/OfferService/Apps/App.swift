package import AppStore
package import EligibilityRules
package import FoundationEssentials
package import OfferSigning
package import OfferStore

/// One app that offers are signed for. A class: every request passes it around.
package final class App: Sendable {
    /// The effect of a negative verdict on a signature.
    package enum Enforcement: String, Sendable, CaseIterable {
        /// The offer is refused.
        case enforce
        /// The offer is signed, and the verdict accompanies it.
        case advise
    }

    /// The callers that may grant an introductory offer against the App Store's rules.
    package enum IntroductoryOverrides: String, Sendable, CaseIterable {
        /// Roles with the permission `override`.
        case backend
        /// Clients too.
        case client
    }

    /// Whether a customer's subscription can be transferred to another customer.
    package enum Transfer: String, Sendable, CaseIterable {
        case never
        /// Only if a backend requests it.
        case backend
        /// Also if another customer presents its signed data.
        case toLatest = "to-latest"
    }

    package let bundleID: String
    /// The partition by which stores identify the app.
    package let partition: AppPartition
    /// The partition's name, as it appears in metrics and figures.
    package var partitionName: String { partition.name }
    /// The environment beside the app's own that this is; nil: the app's own.
    package let additionalEnvironment: AppPartition.AdditionalEnvironment?
    /// The same app in the Sandbox; nil if that is not accepted.
    package let sandbox: App?
    /// The same app in StoreKit Testing in Xcode; nil if that is not signed for.
    package let xcode: App?
    /// The key that signs for this app and no other; nil: the active key of the key folder.
    package let ownKey: SigningKey?
    /// The environment of the app's own data, by Apple's name.
    package var environmentName: String { identity.environment.rawValue }
    /// The issuer id from App Store Connect, which a JWS and the App Store Server API need.
    package let issuerID: String?
    /// Whether the App Store is asked about the app's subscriptions by receipt, because the Server API is not available.
    package var isPolledByReceipt: Bool { issuerID == nil && sharedSecret != nil }
    /// Identifies the signed data that belongs to this app.
    let identity: AppIdentity
    /// The shared secret, which authenticates notifications V1 and which verifyReceipt needs.
    package let sharedSecret: String?
    package let enforcement: Enforcement
    package let introductoryOverrides: IntroductoryOverrides
    package let transfer: Transfer
    /// Whether the App Store receives the bindings that a backend vouches for.
    package let writesAppAccountToken: Bool
    /// Whether a second person must agree before another key signs for the app, or a key is revoked.
    package let needsTwoPersons: Bool
    /// The id of the Retention Messaging text for when no campaign decides in time; nil: the service returns none.
    package let retentionMessage: UUID?
    /// How the App Store's questions about refunds are answered.
    package let refunds: RefundTerms
    package let policy: EligibilityPolicy
    package let catalogue: Catalogue
    /// The subscription groups of the catalogue's products according to the App Store.
    package let groups: GroupDirectory
    /// The promotional offers of the catalogue, with their limits.
    let limitedOffers: [LimitedOffer.Key: LimitedOffer]

    package init(
        bundleID: String,
        issuerID: String?,
        identity: AppIdentity,
        sharedSecret: String?,
        enforcement: Enforcement,
        introductoryOverrides: IntroductoryOverrides = .backend,
        transfer: Transfer = .backend,
        writesAppAccountToken: Bool = false,
        needsTwoPersons: Bool = false,
        retentionMessage: UUID? = nil,
        refunds: RefundTerms = .off,
        policy: EligibilityPolicy,
        catalogue: Catalogue,
        sandbox: App? = nil,
        xcode: App? = nil,
        additionalEnvironment: AppPartition.AdditionalEnvironment? = nil,
        ownKey: SigningKey? = nil
    ) {
        self.bundleID = bundleID
        partition = AppPartition(bundleID: bundleID, additionalEnvironment: additionalEnvironment)
        self.additionalEnvironment = additionalEnvironment
        self.sandbox = sandbox
        self.xcode = xcode
        self.ownKey = ownKey
        self.issuerID = issuerID
        self.identity = identity
        self.sharedSecret = sharedSecret
        self.enforcement = enforcement
        self.introductoryOverrides = introductoryOverrides
        self.transfer = transfer
        self.writesAppAccountToken = writesAppAccountToken
        self.needsTwoPersons = needsTwoPersons
        self.retentionMessage = retentionMessage
        self.refunds = refunds
        self.policy = policy
        self.catalogue = catalogue
        groups = GroupDirectory(catalogue: catalogue)
        limitedOffers = LimitedOffer.all(catalogue, bundleID: bundleID, environment: policy.environment)
    }
}
