/// A customer's subscription in one group at an instant, and what it follows from.
public struct SubscriptionStatus: Hashable, Sendable {
    /// How long the App Store tries to collect the price: 60 days, in ms.
    public static let billingRetryLimit: Int64 = 60 * 24 * 3600 * 1000

    /// The App Store's clock may be ahead of ours by so much, in ms: a purchase of this moment counts.
    public static let clockTolerance: Int64 = 60 * 1000

    /// What it is.
    public let state: SubscriptionState
    /// The period that decides; nil if there has been none.
    public let transaction: PurchaseTransaction?
    /// The subscription it belongs to.
    public let originalTransactionID: String?
    /// Where it was bought; nil when no source says.
    public let environment: PurchaseEnvironment?
    /// Whether it will renew; nil when no source says.
    public let willRenew: Bool?
    /// When the last statement about its renewal was made; nil when no source says anything.
    public let statedAt: Instant?
    /// True when a period ran out in the last 60 days and nobody has said since, or before, that it would not renew.
    public let isRenewalUnconfirmed: Bool

    /// Derives the state of a group's chains at an instant.
    ///
    /// Periods that begin later are not looked at. Of one subscription the period that began last decides, whatever an
    /// earlier one had left: an upgrade ends it, and only sometimes says so. Of several subscriptions one that is current
    /// decides, and of these or without any the one that began last.
    public init(of chains: [PurchaseChain], at now: Instant) {
        let (latest, isUnconfirmed) = SubscriptionPeriod.deciding(of: PurchaseChain.withWholePeriods(chains), at: now)
        self.init(latest, isRenewalUnconfirmed: isUnconfirmed)
    }

    /// - Parameter period: the one that decides.
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
