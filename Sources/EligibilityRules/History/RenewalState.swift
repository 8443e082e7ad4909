/// What the App Store states about the next renewal of a subscription.
public struct RenewalState: Hashable, Comparable, Sendable {
    /// Whether the subscription will renew; nil if not stated.
    public let willRenew: Bool?
    /// The product to which the subscription will renew; nil if not stated.
    public let nextProductID: String?
    /// Whether the App Store is trying to collect the price; nil if not stated.
    public let isInBillingRetry: Bool?
    /// When the grace period ends; nil if there is none.
    public let gracePeriodExpiresAt: Instant?
    /// Apple's `expirationIntent`, of which 1…5 are defined so far; nil if not stated.
    public let expirationIntent: Int64?
    /// Apple's `renewalDate`, the end of the period that the statement is about; nil if not stated.
    public let renewalDate: Instant?
    /// Apple's `priceIncreaseStatus`: 0 if the customer has not answered, 1 if the customer has agreed; nil without an increase.
    public let priceConsent: Int64?
    /// Further fields of Apple's data, which are shown to people; nil if there are none.
    public let particulars: Particulars?

    /// Stores the given values without checking them.
    public init(
        willRenew: Bool? = nil,
        nextProductID: String? = nil,
        isInBillingRetry: Bool? = nil,
        gracePeriodExpiresAt: Instant? = nil,
        expirationIntent: Int64? = nil,
        renewalDate: Instant? = nil,
        priceConsent: Int64? = nil,
        particulars: Particulars? = nil
    ) {
        self.willRenew = willRenew
        self.nextProductID = nextProductID
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpiresAt = gracePeriodExpiresAt
        self.expirationIntent = expirationIntent
        self.renewalDate = renewalDate
        self.priceConsent = priceConsent
        self.particulars = particulars
    }

    /// The values that can decide a verdict, without those that are only shown to people.
    var summary: RenewalState {
        RenewalState(
            willRenew: willRenew, isInBillingRetry: isInBillingRetry, gracePeriodExpiresAt: gracePeriodExpiresAt,
            renewalDate: renewalDate)
    }

    /// The order serves only for merging two statements of the same instant.
    public static func < (left: RenewalState, right: RenewalState) -> Bool {
        let (leftFlags, rightFlags) = (left.flags, right.flags)
        guard leftFlags == rightFlags else { return leftFlags < rightFlags }
        let (leftNumbers, rightNumbers) = (left.numbers, right.numbers)
        guard leftNumbers == rightNumbers else { return leftNumbers < rightNumbers }
        let (leftProduct, rightProduct) = (ExactText(left.nextProductID ?? ""), ExactText(right.nextProductID ?? ""))
        guard leftProduct == rightProduct else { return leftProduct < rightProduct }
        return (left.particulars ?? Particulars([])) < (right.particulars ?? Particulars([]))
    }

    private var flags: (Int, Int, Int) {
        (
            willRenew.map { $0 ? 2 : 1 } ?? 0, isInBillingRetry.map { $0 ? 2 : 1 } ?? 0,
            (nextProductID == nil ? 0 : 1) + (particulars == nil ? 0 : 2)
        )
    }

    private var numbers: (Int64, Int64, Int64, Int64) {
        (
            gracePeriodExpiresAt?.milliseconds ?? .min, expirationIntent ?? .min, renewalDate?.milliseconds ?? .min,
            priceConsent ?? .min
        )
    }
}
