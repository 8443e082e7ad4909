/// The name of a limit as tables have it: a hash made with the store's key, so that they name no customer.
package struct LimitKey: Hashable, Sendable {
    package let hash: Int64

    /// Takes the value as it is.
    package init(_ hash: Int64) { self.hash = hash }

    // A keyed hash is as good as the one that a dictionary would make of it, ten times a signature.
    package func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: hash) ^ seed }
}
