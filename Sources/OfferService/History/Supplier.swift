import OfferStore

/// The source of purchases, and how far the service trusts what it says about their customer.
package struct Supplier: Sendable {
    let origin: Origin
    let proof: BindingProof

    /// A caller as the source.
    ///
    /// A caller whose role has the permission `history` vouches for the customer of the purchases. Any other caller only claims
    /// the customer.
    package init(_ caller: Caller, requestID: String, address: String?) {
        origin = Origin(actor: caller.id, requestID: requestID, address: address)
        proof = caller.role.may(.history) ? .vouched : .claimed
    }

    private init(_ origin: Origin, _ proof: BindingProof) { (self.origin, self.proof) = (origin, proof) }

    /// The service itself, which asks the App Store.
    package static let service = Supplier(.service, .vouched)
}
