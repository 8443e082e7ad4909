public import EligibilityRules
public import FoundationEssentials

/// What a signature takes of a limit.
public struct Reservation: Equatable, Sendable {
    /// What is limited.
    public enum Rule: Equatable, Sendable {
        /// Signatures and redemptions, which are looked at one by one: those of one customer.
        case uses(LimitTerms)
        /// So many in all; they are only counted. A redemption counts although it was refunded, or does not.
        case total(Int, countsRefunded: Bool)
    }

    /// How long a signature is outstanding, in ms: the App Store takes it for 24 hours, and news of a redemption have five minutes more.
    public static let lifetime: Int64 = validity + grace

    private static let validity: Int64 = 24 * 3600 * 1000
    private static let grace: Int64 = 5 * 60 * 1000

    /// By which a finding tells of it.
    public let limit: String
    /// How many there may be.
    public let rule: Rule
    /// The names under which there may be something that counts.
    public let counted: [String]
    /// The names under which this one counts from now on; some of `counted`.
    public let entered: [String]
    /// From then on it counts.
    public let madeAt: Instant
    /// Until then it counts.
    public let expiresAt: Instant
    /// Of the signature.
    public let nonce: UUID
    /// Who may have the signature again: bytes that tell one from another, none of which begin others. Nil: nobody.
    public let keeper: [UInt8]?
    /// What they get; empty until it is signed.
    public var kept: [UInt8] = []
    /// Whether the redemption of the signature counts under the same names, whatever else it counts under: the limit is not the offer's.
    public let staysWithRedemption: Bool
    /// Whether a signature that is outstanding for the same keeper is to be given in place of this one.
    public let isReuse: Bool

    /// Takes the values as they are.
    public init(
        limit: String,
        rule: Rule,
        counted: [String],
        entered: [String],
        madeAt: Instant,
        expiresAt: Instant,
        nonce: UUID,
        keeper: [UInt8]? = nil,
        isReuse: Bool = false,
        staysWithRedemption: Bool = false
    ) {
        self.limit = limit
        self.rule = rule
        self.counted = counted
        self.entered = entered
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.nonce = nonce
        self.keeper = keeper
        self.isReuse = isReuse
        self.staysWithRedemption = staysWithRedemption
    }

    /// The same for a submission that signs nothing with it.
    package var asProbe: Reservation {
        var rule = rule
        if case .uses(let terms) = rule { rule = .uses(terms.asShown) }
        return Reservation(
            limit: limit, rule: rule, counted: counted, entered: entered, madeAt: madeAt, expiresAt: expiresAt, nonce: nonce,
            staysWithRedemption: staysWithRedemption)
    }

    /// Whether what is kept with an outstanding signature may be given in place of this one; the App Store must still take it.
    ///
    /// - Parameters:
    ///   - bytes: keeper and what is kept, one after the other.
    ///   - instant: until when it is outstanding.
    package func accepts(_ bytes: [UInt8], until instant: Instant) -> Bool {
        guard isReuse, let keeper, instant.milliseconds(since: madeAt) > Self.grace else { return false }
        return bytes.starts(with: keeper)
    }
}
