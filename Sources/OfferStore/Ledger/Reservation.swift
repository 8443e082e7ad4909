public import EligibilityRules
public import FoundationEssentials
import WireText

/// What a signature takes of a limit: a place, which the customer's unredeemed signatures hold together.
///
/// Who asks again after a cancelled purchase gets a new signature in the same place. Once a redemption is known, the place is used
/// up, and the next signature takes another one.
public struct Reservation: Sendable {
    /// The rule of a limit.
    public enum Rule: Equatable, Sendable {
        /// Limits one customer's signatures and redemptions, which are examined one by one.
        case uses(LimitTerms)
        /// Limits the total number, which is only counted. States whether refunded redemptions count.
        ///
        /// A reservation with the rule `uses` directly before it, with the same scope and nonce, says by its first name whose place
        /// it is. Without one, the signature takes a place of its own.
        case total(Int, countsRefunded: Bool)
    }

    /// How long a signature is outstanding, in ms.
    ///
    /// It is 5 minutes longer than the signature is valid, so that the report of a late redemption still arrives in time.
    public static let lifetime: Int64 = SignatureValidity.duration + grace

    package static let grace: Int64 = 5 * 60 * 1000

    /// The scope of the names.
    public let scope: LimitScope
    /// The rule of the limit.
    public let rule: Rule
    /// The names to look up, including those that this signature counts under, which the first one is. A total has its own name.
    public let names: [LimitName]
    /// When it begins to count.
    public let madeAt: Instant
    /// When it stops counting.
    public let expiresAt: Instant
    /// The signature's nonce.
    public let nonce: UUID
    /// Whether a redemption of the signature counts under the same names, too.
    ///
    /// This is so for limits that are not the offer's own, such as those of a campaign.
    public let staysWithRedemption: Bool

    /// - Parameter names: the names, at least one.
    public init(
        scope: LimitScope,
        rule: Rule,
        names: [LimitName],
        madeAt: Instant,
        expiresAt: Instant,
        nonce: UUID,
        staysWithRedemption: Bool = false
    ) {
        self.scope = scope
        self.rule = rule
        self.names = names
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.nonce = nonce
        self.staysWithRedemption = staysWithRedemption
    }

    /// The reservation as a probe: for a submission that only checks the limit and signs nothing.
    package var asProbe: Reservation {
        var rule = rule
        if case .uses(let terms) = rule { rule = .uses(terms.asShown) }
        return Reservation(
            scope: scope, rule: rule, names: names, madeAt: madeAt, expiresAt: expiresAt, nonce: nonce,
            staysWithRedemption: staysWithRedemption)
    }

    /// The limit's name in findings.
    public var limit: String { scope.text(of: names[0]) }

    /// Whether both reservations have the same limit in findings.
    package func hasLimit(of other: Reservation) -> Bool {
        scope === other.scope ? names[0].isSame(as: other.names[0]) : limit == other.limit
    }

    /// Whether signatures with the first of these names share a place in a total.
    package func sharesPlace(in total: Reservation) -> Bool {
        guard case .uses = rule, case .total = total.rule else { return false }
        return scope === total.scope && nonce == total.nonce
    }
}
