/// A unit with what is known of its exposures.
public struct ExposedUnit: Sendable {
    /// Where a unit is counted.
    public enum Place: Hashable, Sendable {
        /// By its place in the plan.
        case variant(Int)
        case holdout
        /// It saw two variants, or one and was held out: set aside.
        case twoVariants
        /// It was exposed to an earlier revision that asked something else: set aside.
        case earlierRevision
    }

    /// What was bucketed; of several that have become one customer the one that is the customer's now.
    public let id: String
    /// When it was first exposed.
    public let exposedAt: Instant
    /// Where it is counted.
    public let place: Place
    /// Whether it was given a signature.
    public let isSigned: Bool
    /// Of the first exposure, by the table's own numbers.
    let traits: ExposureTraits
}
