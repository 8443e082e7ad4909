public import OfferStore

/// Tests write partitions as stores keep them.
extension AppPartition: ExpressibleByStringInterpolation {
    /// Takes a name as stores keep it.
    public init(stringLiteral name: String) { self.init(name: name) }
}
