package import AppStore
package import EligibilityRules
package import FoundationEssentials
package import OfferSigning
package import OfferStore

/// One app that offers are signed for. A class: every request passes it around.
package final class App: Sendable {
    /// What a negative verdict does to a signature.
    package enum Enforcement: String, Sendable, CaseIterable {
        /// The offer is refused.
        case enforce
        /// The offer is signed, and the verdict goes with it.
        case advise
    }

    /// Who may have an introductory offer granted against the App Store's rules.
    package enum IntroductoryOverrides: String, Sendable, CaseIterable {
        /// Roles with the permission `override`.
        case backend
        /// Clients too.
        case client
    }

    /// Whether a subscription that a customer has can become another's.
    package enum Transfer: String, Sendable, CaseIterable {
        case never
        /// When a backend says so.
        case backend
        /// And also when another customer comes with its signed data.
        case toLatest = "to-latest"
    }

    package let bundleID: String
    /// What stores know it by.
    package let partition: AppPartition
    /// That of the partition, as metrics and figures give it.
    package var partitionName: String { partition.name }
    /// Which environment beside its own this is; nil: its own.
    package let beside: AppPartition.Beside?
    /// The same app in the Sandbox, if that is taken as well.
    package let sandbox: App?
    /// The same app in StoreKit Testing in Xcode, if that is signed for.
    package let xcode: App?
    /// The key that signs for it and no other; nil: the active one of the key folder.
    package let ownKey: SigningKey?
    /// Which data of the App Store's is its own: `Production` or `Sandbox`.
    package var environmentName: String { identity.environment.rawValue }
    /// From App Store Connect; a JWS and the App Store Server API need it.
    package let issuerID: String?
    /// Whether the App Store is asked about its subscriptions with their receipts, for want of the Server API.
    package var isPolledByReceipt: Bool { issuerID == nil && sharedSecret != nil }
    /// Which signed data is this app's.
    let identity: AppIdentity
    /// Authenticates notifications V1; verifyReceipt asks for it.
    package let sharedSecret: String?
    package let enforcement: Enforcement
    package let introductoryOverrides: IntroductoryOverrides
    package let transfer: Transfer
    /// Whether the App Store is told of bindings that a backend vouches for.
    package let writesAppAccountToken: Bool
    /// Whether a second person must agree before another key signs for it, or one is revoked.
    package let needsTwoPersons: Bool
    /// The text that Retention Messaging shows when no campaign decides, or not in time; nil: nothing of ours.
    package let retentionMessage: UUID?
    package let policy: EligibilityPolicy
    package let catalogue: Catalogue
    /// What the App Store says about the groups of the catalogue's products.
    package let groups: GroupDirectory
    /// The promotional offers of the catalogue, as limits see them.
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
        policy: EligibilityPolicy,
        catalogue: Catalogue,
        sandbox: App? = nil,
        xcode: App? = nil,
        beside: AppPartition.Beside? = nil,
        ownKey: SigningKey? = nil
    ) {
        self.bundleID = bundleID
        partition = AppPartition(bundleID: bundleID, beside: beside)
        self.beside = beside
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
        self.policy = policy
        self.catalogue = catalogue
        groups = GroupDirectory(catalogue: catalogue)
        limitedOffers = LimitedOffer.all(catalogue, bundleID: bundleID, environment: policy.environment)
    }
}
