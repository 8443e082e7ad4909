package import OfferSigning

/// What a look at the key folder came to.
package struct LoadedKeys: Sendable {
    package let ring: KeyRing
    /// Files that are no keys of the service, though they look like some.
    package let faults: [KeyFault]

    /// Takes the values as they are.
    package init(ring: KeyRing, faults: [KeyFault] = []) {
        self.ring = ring
        self.faults = faults
    }
}
