package import EligibilityRules
package import OfferStore

/// An offer that was not signed, with the caller and the reason.
package struct UnsignedOffer: Sendable {
    package let productID: String
    /// The offer's id; empty for an introductory offer.
    package let offerID: String
    package let verdict: Verdict
    package let partition: AppPartition
    package let caller: String
    package let requestID: String
}
