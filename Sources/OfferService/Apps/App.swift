package import AppStore
package import EligibilityRules
package import FoundationEssentials
package import OfferSigning
package import OfferStore

/// An app for which the service signs offers.
///
/// It is a class, so that a request can pass it on without copying it.
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
        /// Callers whose role has the permission `override`.
        case backend
        /// Callers with the role `client` as well.
        case client
    }

    /// Whether a customer's subscription can be transferred to another customer.
    package enum Transfer: String, Sendable, CaseIterable {
        case never
        /// A subscription is transferred only if a backend requests it.
        case backend
        /// A subscription is also transferred if another customer presents its signed data.
        case toLatest = "to-latest"
    }

    /// The environment that an `App` value is about: the app's own, or one that the app accepts in addition.
    package enum Place: Sendable {
        /// The app's own environment.
        ///
        /// `sandbox` and `xcode` are the same app in the Sandbox and in StoreKit Testing in Xcode; nil if that is not accepted.
        case own(sandbox: App? = nil, xcode: App? = nil)
        case sandbox
        /// StoreKit Testing in Xcode, with the key that signs there and nowhere else.
        case xcode(SigningKey)
    }

    package var bundleID: String { identity.bundleID }
    /// The partition by which stores identify the app.
    package let partition: AppPartition
    /// The partition's name, as it appears in metrics and figures.
    package var partitionName: String { partition.name }
    /// The environment that this value is about, if the app accepts it in addition to its own; nil for the app's own environment.
    package let additionalEnvironment: AppPartition.AdditionalEnvironment?
    /// The same app in the Sandbox; nil if that is not accepted.
    package let sandbox: App?
    /// The same app in StoreKit Testing in Xcode; nil if the service does not sign for that.
    package let xcode: App?
    /// The key that signs for this app and no other; nil if the active key of the key folder signs.
    package let ownKey: SigningKey?
    /// The app's id in the App Store; nil if the configuration does not have it.
    package var appAppleID: Int64? { identity.appAppleID }
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
    /// For products that the catalogue lacks or puts into another group: the subscription group in which the App Store has them.
    package let groups: GroupDirectory
    /// Every promotional offer of the catalogue, with its limits.
    let limitedOffers: [LimitedOffer.Key: LimitedOffer]
    /// The promotional offers of all other plans, by billing plan.
    private let offersOfOtherPlans: [BillingPlan: Set<CampaignVariant.Offer>]

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
        let offers = limitedOffers.values.map {
            (CampaignVariant.Offer(productID: $0.product.id, offerID: $0.id), $0.billingPlan)
        }
        offersOfOtherPlans = Dictionary(
            uniqueKeysWithValues: BillingPlan.allCases.map { plan in (plan, Set(offers.filter { $1 != plan }.map(\.0))) })
    }

    /// The promotional offers that customers who buy with a billing plan cannot get.
    func promotionalOffers(notOn plan: BillingPlan) -> Set<CampaignVariant.Offer> {
        catalogue.hasPlans || plan == .monthly ? offersOfOtherPlans[plan]! : []
    }

    /// The promotional offers that a customer cannot get because of the billing plan.
    ///
    /// - Parameter plan: the plan with which the customer would buy. If it is nil, it is that of the customer's subscription in the
    ///   group of each offer.
    func promotionalOffers(notOn plan: BillingPlan?, for customer: Customer) -> Set<CampaignVariant.Offer> {
        if let plan { return promotionalOffers(notOn: plan) }
        let others = limitedOffers.values.filter { offer in
            !customer.subscription(inGroup: customer.groupID(of: offer.product)).mayTakeOffers(on: offer.billingPlan)
        }
        return Set(others.map { CampaignVariant.Offer(productID: $0.product.id, offerID: $0.id) })
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

/// The credentials with which the service and the App Store recognise each other on behalf of an app.
package struct AppCredentials: Sendable {
    /// The issuer id from App Store Connect, which a JWS and the App Store Server API need.
    package let issuerID: String?
    /// The shared secret, which authenticates notifications V1 and which verifyReceipt needs.
    package let sharedSecret: String?

    package init(issuerID: String? = nil, sharedSecret: String? = nil) {
        self.issuerID = issuerID
        self.sharedSecret = sharedSecret
    }

    /// No issuer id and no shared secret.
    package static let none = AppCredentials()
}

/// How the service answers the App Store's questions about an app's customers.
package struct AppStoreAnswers: Sendable {
    /// The id of the Retention Messaging text that is returned if no campaign decides in time; nil if none is returned.
    package let retentionMessage: UUID?
    /// How refund requests are answered.
    package let refunds: RefundTerms

    package init(retentionMessage: UUID? = nil, refunds: RefundTerms = .off) {
        self.retentionMessage = retentionMessage
        self.refunds = refunds
    }

    /// The service returns no Retention Messaging text and does not answer refund requests.
    package static let none = AppStoreAnswers()
}

/// The settings of an app that say what is permitted in it.
package struct AppRules: Sendable {
    package let enforcement: App.Enforcement
    package let introductoryOverrides: App.IntroductoryOverrides
    package let transfer: App.Transfer
    /// Whether the service writes the bindings that a backend vouches for to the App Store, as the purchases' `appAccountToken`.
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
    /// What the service does with its answers to refund requests.
    package enum Mode: String, Sendable, CaseIterable {
        /// The service answers no refund request, and stores none.
        case off
        /// The service makes answers and shows them, but sends none.
        case dryRun = "dry-run"
        case send
    }

    package let mode: Mode
    /// The policies in their order; the first one that applies decides.
    package let policies: [RefundPolicy]

    package init(mode: Mode, policies: [RefundPolicy] = []) {
        self.mode = mode
        self.policies = policies
    }

    /// Refund requests are not answered.
    package static let off = RefundTerms(mode: .off)
}
