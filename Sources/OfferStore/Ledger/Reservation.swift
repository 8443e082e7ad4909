public import EligibilityRules
public import FoundationEssentials

/// What a signature takes of a limit.
public struct Reservation: Sendable {
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

    /// What the names begin with.
    public let scope: LimitScope
    /// How many there may be.
    public let rule: Rule
    /// The names under which there may be something that counts, and among them those under which this one does; of a total its own.
    public let names: [LimitName]
    /// From then on it counts.
    public let madeAt: Instant
    /// Until then it counts.
    public let expiresAt: Instant
    /// Of the signature.
    public let nonce: UUID
    /// Whether the redemption of the signature counts under the same names, whatever else it counts under: the limit is not the offer's.
    public let staysWithRedemption: Bool
    /// Whether a signature that is outstanding for the same request is to be given in place of this one.
    public private(set) var isReuse: Bool
    /// The signature's token, which comes again while it is outstanding. Empty: it does not.
    public private(set) var token: [UInt8] = []

    /// - Parameter names: at least one.
    public init(
        scope: LimitScope,
        rule: Rule,
        names: [LimitName],
        madeAt: Instant,
        expiresAt: Instant,
        nonce: UUID,
        isReuse: Bool = false,
        staysWithRedemption: Bool = false
    ) {
        self.scope = scope
        self.rule = rule
        self.names = names
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.nonce = nonce
        self.isReuse = isReuse
        self.staysWithRedemption = staysWithRedemption
    }

    /// The same for a submission that signs nothing with it.
    package var asProbe: Reservation {
        var rule = rule
        if case .uses(let terms) = rule { rule = .uses(terms.asShown) }
        return Reservation(
            scope: scope, rule: rule, names: names, madeAt: madeAt, expiresAt: expiresAt, nonce: nonce,
            staysWithRedemption: staysWithRedemption)
    }

    /// By which a finding tells of it.
    public var limit: String { scope.text(of: names[0]) }

    /// Whether findings tell of another one by the same name.
    package func hasLimit(of other: Reservation) -> Bool {
        scope === other.scope ? names[0].isSame(as: other.names[0]) : limit == other.limit
    }

    /// Keeps the signature with it: whose it is, and all else that is signed, the ledger's entry tells.
    ///
    /// - Parameter token: as `EarlierSignature` has it.
    public mutating func keep(_ token: [UInt8]) { self.token = token }

    /// Has a new signature made, whatever is outstanding.
    public mutating func makeAnew() { isReuse = false }

    /// Whether a signature may be given in place of this one that is outstanding until then: the App Store must still take it.
    package func takesEarlier(until instant: Instant) -> Bool { isReuse && instant.milliseconds(since: madeAt) > Self.grace }
}
