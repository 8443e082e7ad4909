/// A customer's subscription in one group at an instant, and the period that decides it.
public struct SubscriptionStatus: Hashable, Sendable {
    /// How long the App Store tries to collect the price: 60 days, in ms.
    public static let billingRetryLimit: Int64 = 60 * 24 * 3600 * 1000

    /// How far the App Store's clock may be ahead of ours, in ms. A purchase made at this moment counts.
    public static let clockTolerance: Int64 = 60 * 1000

    /// The state.
    public let state: SubscriptionState
    /// The deciding period; nil if there has been none.
    public let transaction: PurchaseTransaction?
    /// The subscription of the deciding period.
    public let originalTransactionID: String?
    /// Where it was bought; nil when no source says.
    public let environment: PurchaseEnvironment?
    /// Whether it will renew; nil when no source says.
    public let willRenew: Bool?
    /// When its renewal was last stated; nil when no source says anything.
    public let statedAt: Instant?
    /// Whether a period ran out in the last 60 days and no source has stated that it would not renew.
    public let isRenewalUnconfirmed: Bool

    /// Derives the state of a group's chains at an instant.
    ///
    /// Periods that begin later are ignored. Of one subscription the period that began last decides, whatever time an earlier one
    /// had left: an upgrade ends it, and only sometimes reports so. Of several subscriptions a current one decides, above all
    /// an active one. Otherwise the one that began last decides.
    public init(of chains: [PurchaseChain], at now: Instant) {
        let (latest, isUnconfirmed) = SubscriptionPeriod.deciding(of: PurchaseChain.withWholePeriods(chains), at: now)
        self.init(latest, isRenewalUnconfirmed: isUnconfirmed)
    }

    /// - Parameter period: the deciding one.
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
