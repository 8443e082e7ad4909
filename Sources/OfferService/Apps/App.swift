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

    /// The app in its own environment, or in one beside that.
    package enum Place: Sendable {
        /// With the same app in the Sandbox and in StoreKit Testing in Xcode; nil where that is not accepted.
        case own(sandbox: App? = nil, xcode: App? = nil)
        case sandbox
        /// With the key that signs there, and nowhere else.
        case xcode(SigningKey)
    }

    package var bundleID: String { identity.bundleID }
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
    package let credentials: AppCredentials
    /// Whether the App Store is asked about the app's subscriptions by receipt, because the Server API is not available.
    package var isPolledByReceipt: Bool { credentials.issuerID == nil && credentials.sharedSecret != nil }
    /// Identifies the signed data that belongs to this app.
    let identity: AppIdentity
    package let rules: AppRules
    package let answers: AppStoreAnswers
    package let policy: EligibilityPolicy
    package let catalogue: Catalogue
    /// The subscription groups of the catalogue's products according to the App Store.
    package let groups: GroupDirectory
    /// The promotional offers of the catalogue, with their limits.
    let limitedOffers: [LimitedOffer.Key: LimitedOffer]

    package init(
        identity: AppIdentity,
        credentials: AppCredentials = .none,
        rules: AppRules,
        answers: AppStoreAnswers = .none,
        policy: EligibilityPolicy,
        catalogue: Catalogue,
        place: Place = .own()
    ) {
        (additionalEnvironment, sandbox, xcode, ownKey) =
            switch place {
            case .own(let sandbox, let xcode): (nil, sandbox, xcode, nil)
            case .sandbox: (.sandbox, nil, nil, nil)
            case .xcode(let key): (.xcode, nil, nil, key)
            }
        partition = AppPartition(bundleID: identity.bundleID, additionalEnvironment: additionalEnvironment)
        self.identity = identity
        self.credentials = credentials
        self.rules = rules
        self.answers = answers
        self.policy = policy
        self.catalogue = catalogue
        groups = GroupDirectory(catalogue: catalogue)
        limitedOffers = LimitedOffer.all(catalogue, bundleID: identity.bundleID, environment: policy.environment)
    }
}

extension App {
    /// Takes over what was learnt about the subscription groups of products while the old app was in force.
    func keepGroups(of old: App) {
        groups.keep(old.groups)
        for (new, old) in [(sandbox, old.sandbox), (xcode, old.xcode)] {
            if let new, let old { new.groups.keep(old.groups) }
        }
    }
}

/// What the App Store knows the service of an app by.
package struct AppCredentials: Sendable {
    /// The issuer id from App Store Connect, which a JWS and the App Store Server API need.
    package let issuerID: String?
    /// The shared secret, which authenticates notifications V1 and which verifyReceipt needs.
    package let sharedSecret: String?

    package init(issuerID: String? = nil, sharedSecret: String? = nil) {
        self.issuerID = issuerID
        self.sharedSecret = sharedSecret
    }

    /// Neither.
    package static let none = AppCredentials()
}

/// How the App Store's questions about an app's customers are answered.
package struct AppStoreAnswers: Sendable {
    /// The id of the Retention Messaging text for when no campaign decides in time; nil: the service returns none.
    package let retentionMessage: UUID?
    /// The answer to a refund request.
    package let refunds: RefundTerms

    package init(retentionMessage: UUID? = nil, refunds: RefundTerms = .off) {
        self.retentionMessage = retentionMessage
        self.refunds = refunds
    }

    /// Questions about refunds are not answered.
    package static let none = AppStoreAnswers()
}

/// What is permitted in an app.
package struct AppRules: Sendable {
    package let enforcement: App.Enforcement
    package let introductoryOverrides: App.IntroductoryOverrides
    package let transfer: App.Transfer
    /// Whether the App Store receives the bindings that a backend vouches for.
    package let writesAppAccountToken: Bool
    /// Whether a second person must agree before another key signs for the app, or a key is revoked.
    package let needsTwoPersons: Bool

    package init(
        enforcement: App.Enforcement,
        introductoryOverrides: App.IntroductoryOverrides = .backend,
        transfer: App.Transfer = .backend,
        writesAppAccountToken: Bool = false,
        needsTwoPersons: Bool = false
    ) {
        self.enforcement = enforcement
        self.introductoryOverrides = introductoryOverrides
        self.transfer = transfer
        self.writesAppAccountToken = writesAppAccountToken
        self.needsTwoPersons = needsTwoPersons
    }
}

/// How an app answers the App Store's questions about refunds.
package struct RefundTerms: Sendable {
    /// Whether answers leave.
    package enum Mode: String, Sendable, CaseIterable {
        /// Nothing is answered, and nothing is kept for it.
        case off
        /// Answers are made and shown, and none is sent.
        case dryRun = "dry-run"
        case send
    }

    package let mode: Mode
    /// The first one that applies decides.
    package let policies: [RefundPolicy]

    package init(mode: Mode, policies: [RefundPolicy] = []) {
        self.mode = mode
        self.policies = policies
    }

    /// Nothing is answered.
    package static let off = RefundTerms(mode: .off)
}
