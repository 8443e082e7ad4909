/// What was known of a unit when it was first exposed, by numbers that an `ExposedUnits` gives.
struct ExposureTraits: Hashable {
    /// What segments are made by, in their order.
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
