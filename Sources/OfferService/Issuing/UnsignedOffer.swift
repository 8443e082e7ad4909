package import EligibilityRules
package import OfferStore

/// Which offer was not signed, for whom, and why.
package struct UnsignedOffer: Sendable {
    package let productID: String
    /// Empty for an introductory offer.
    package let offerID: String
    package let verdict: Verdict
    package let partition: AppPartition
    package let caller: String
    package let requestID: String
}
