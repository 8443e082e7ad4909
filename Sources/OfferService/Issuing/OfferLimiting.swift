package import EligibilityRules
package import FoundationEssentials
package import OfferStore

/// What may be signed only so often at a time: where limits of offers and of campaigns come in.
///
/// The store counts, in the transaction of the signature. Where it finds a limit used up, the request is decided again without what it limits.
package protocol OfferLimiting: Sendable {
    /// Whether a signature may take anything of limits.
    ///
    /// - Parameter isReuse: whether a signature that is outstanding is to come again.
    func concern(_ app: App, isReuse: Bool) -> Bool

    /// What the signature of a promotional offer takes, and whether anything forbids it right away.
    ///
    /// - Parameters:
    ///   - nonce: that of the signature.
    ///   - reference: whom the request names.
    ///   - customer: who the history says it is; nil where the request names no customer.
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
    /// Empty where nothing limits it.
    case taken([Reservation])
}
