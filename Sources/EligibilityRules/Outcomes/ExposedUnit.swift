/// A unit and its exposures.
public struct ExposedUnit: Sendable {
    /// Where a unit is counted.
    public enum Place: Hashable, Sendable {
        /// By its index in the plan.
        case variant(Int)
        case holdout
        /// It saw two variants, or one and the holdout. It is set aside.
        case twoVariants
        /// It was exposed to an earlier revision with another question. It is set aside.
        case earlierRevision
    }

    /// The id that was bucketed. Of several units that became one customer, it is the customer's current id.
    public let id: String
    /// When it was first exposed.
    public let exposedAt: Instant
    /// Where it is counted.
    public let place: Place
    /// Whether it received a signature.
    public let isSigned: Bool
    /// The traits at the first exposure, by the numbers of its `ExposedUnits`.
    let traits: ExposureTraits
}
