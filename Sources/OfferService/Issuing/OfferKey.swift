/// An app's key. A key in memory signs at once; a key in a hardware module answers later.
package protocol OfferKey: Sendable {
    /// Apple's key id.
    var id: String { get }

    /// Signs all inputs of a request, in order: one output per input.
    func sign(_ inputs: [SigningInput]) throws -> Signing
}
