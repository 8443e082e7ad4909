import OfferStore

/// Who supplies purchases, and what their word is worth about whose they are.
package struct Supplier: Sendable {
    let origin: Origin
    let proof: BindingProof

    /// Somebody with an access key: who keeps the customers' histories vouches for what it says, a client claims it.
    package init(_ caller: Caller, requestID: String, address: String?) {
        origin = Origin(actor: caller.id, requestID: requestID, address: address)
        proof = caller.role.may(.history) ? .vouched : .claimed
    }

    private init(_ origin: Origin, _ proof: BindingProof) { (self.origin, self.proof) = (origin, proof) }

    /// The service itself, which asks the App Store.
    package static let service = Supplier(.service, .vouched)
}
