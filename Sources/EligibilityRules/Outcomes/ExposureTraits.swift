/// What was known of a unit at its first exposure, by the numbers of its `ExposedUnits`.
struct ExposureTraits: Hashable {
    /// The dimensions of segments, in their order.
    enum Dimension: String, CaseIterable {
        case storefront, appVersion, caller
    }

    var storefront: UInt16
    var appVersion: UInt16
    var caller: UInt16

    subscript(dimension: Dimension) -> UInt16 {
        switch dimension {
        case .storefront: storefront
        case .appVersion: appVersion
        case .caller: caller
        }
    }
}
