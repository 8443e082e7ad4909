/// A customer's subscription in one group at an instant, and the period that decides it.
public struct SubscriptionStatus: Hashable, Sendable {
    /// How long the App Store tries to collect the price of a renewal: 60 days, in ms.
    public static let billingRetryLimit: Int64 = 60 * 24 * 3600 * 1000

    /// How far the App Store's clock may be ahead of ours, in ms, so that a purchase that was just made counts.
    public static let clockTolerance: Int64 = 60 * 1000

    /// The state of the subscription at the instant.
    public let state: SubscriptionState
    /// The deciding period; nil if there has been none.
    public let transaction: PurchaseTransaction?
    /// The `originalTransactionId` of the deciding period's subscription; nil if there has been none.
    public let originalTransactionID: String?
    /// Where the deciding period was bought; nil if no source says.
    public let environment: PurchaseEnvironment?
    /// Whether the deciding period will renew; nil if no source says.
    public let willRenew: Bool?
    /// When the App Store last stated whether the deciding period will renew; nil if no source says.
    public let statedAt: Instant?
    /// Whether the subscription may be current by a renewal that was not reported.
    ///
    /// A period ended in the last 60 days, no source has stated that it would not renew, and no subscription is current.
    public let isRenewalUnconfirmed: Bool

    /// Derives the state of a group's chains at an instant.
    ///
    /// Periods that begin later are ignored. Of one subscription the period that began last decides, even if an earlier one had
    /// time left: an upgrade ends the earlier period, and the App Store does not always report that. Of several subscriptions an
    /// active one decides, otherwise one that is current in another way, otherwise the one that began last.
    public init(of chains: [PurchaseChain], at now: Instant) {
        let (latest, isUnconfirmed) = SubscriptionPeriod.deciding(of: PurchaseChain.withWholePeriods(chains), at: now)
        self.init(latest, isRenewalUnconfirmed: isUnconfirmed)
    }

    /// Takes the values from the deciding period.
    ///
    /// - Parameter period: nil if there has been none.
    init(_ period: SubscriptionPeriod?, isRenewalUnconfirmed: Bool) {
        state = period?.state ?? .never
        transaction = period?.transaction
        originalTransactionID = period?.chain.originalID
        environment = period?.chain.environment
        willRenew = period?.renewal?.value.willRenew
        statedAt = period?.renewal?.stamp.asOf
        self.isRenewalUnconfirmed = isRenewalUnconfirmed
    }
}

extension SubscriptionStatus {
    /// The billing plan of the deciding period; nil if the App Store has not stated it.
    public var billingPlan: BillingPlan? {
        statedPlan.flatMap(BillingPlan.init(appleName:))
    }

    /// Whether a promotional offer of a billing plan can be meant for the subscription. It can if the App Store has not stated the
    /// subscription's plan, but not if it has stated one that this version does not know.
    public func mayTakeOffers(on plan: BillingPlan) -> Bool { statedPlan == nil || billingPlan == plan }

    private var statedPlan: String? { transaction?.particulars?.value.value(of: "billingPlanType") }
}
