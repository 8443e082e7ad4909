package import EligibilityRules
package import FoundationEssentials
package import OfferStore

/// Limits on how often offers of the catalogue and of campaigns are signed.
///
/// The store counts, in the transaction of the signature.
/// If it finds a limit used up, the request is decided again without what it limits.
package protocol OfferLimiting: Sendable {
    /// Whether a signature may take anything of limits.
    ///
    /// - Parameter isReuse: whether an outstanding signature is to be returned again.
    func concern(_ app: App, isReuse: Bool) -> Bool

    /// What the signature of a promotional offer takes, or why it is refused right away.
    ///
    /// - Parameters:
    ///   - nonce: that of the signature.
    ///   - reference: the customer that the request names.
    ///   - customer: the customer according to the history; nil if the request names none.
    func share(
        of offer: LimitedOffer,
        with nonce: UUID,
        for reference: CustomerReference,
        isReuse: Bool,
        _ app: App,
        at now: Instant,
        customer: Customer?
    ) -> OfferShare
}

/// What a signature takes of limits.
package enum OfferShare {
    /// Nothing may be signed.
    case refused(Verdict)
    /// The reservations; empty if nothing limits the offer.
    case taken([Reservation])
}
