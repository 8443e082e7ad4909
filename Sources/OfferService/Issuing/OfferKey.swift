/// An app's key, wherever it is: in memory it signs at once, in a hardware module it answers later.
package protocol OfferKey: Sendable {
    /// Apple's key id.
    var id: String { get }

    /// Signs all that a request wants signed, in order: one output an input.
    func sign(_ inputs: [SigningInput]) throws -> Signing
}
