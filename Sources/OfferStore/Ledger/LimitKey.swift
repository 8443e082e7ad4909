/// The stored name of a limit: a hash with the store's key, which reveals no customer.
package struct LimitKey: Hashable, Sendable {
    package let hash: Int64

    package init(_ hash: Int64) { self.hash = hash }

    // A keyed hash needs no second hash in dictionaries, which would run ten times for each signature.
    package func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: hash) ^ seed }
}
