package import EligibilityRules
package import OfferStore

/// What may be signed only so often at a time: where limits of offers and of campaigns come in.
///
/// The store counts, in the transaction of the signature. Where it finds a limit used up, the request is decided again without what it limits.
package protocol OfferLimiting: Sendable {
    /// What the signature of an item takes; empty where nothing limits it.
    func reservations(for item: SignatureRequest.Item, of request: SignatureRequest, at now: Instant) -> [Reservation]

    /// What is said of an item whose limit is used up.
    func verdict(onUsedUp limit: String) -> Verdict
}
