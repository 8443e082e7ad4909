import OfferStore

/// The supplier of purchases, and how far its statement about their customer is trusted.
package struct Supplier: Sendable {
    let origin: Origin
    let proof: BindingProof

    /// The holder of an access key. A role that keeps the customers' histories vouches for them; a client only claims them.
    package init(_ caller: Caller, requestID: String, address: String?) {
        origin = Origin(actor: caller.id, requestID: requestID, address: address)
        proof = caller.role.may(.history) ? .vouched : .claimed
    }

    private init(_ origin: Origin, _ proof: BindingProof) { (self.origin, self.proof) = (origin, proof) }

    /// The service itself, which asks the App Store.
    package static let service = Supplier(.service, .vouched)
}
