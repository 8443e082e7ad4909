/// What was counted of the units that have one property in common, known before they were exposed.
public struct SegmentTally: Sendable {
    /// The property: a storefront, an app version, who asked.
    public let dimension: String
    /// Its value.
    public let value: String
    /// Units exposed, a place for each variant, the control first.
    public let exposed: [Int]
    /// What became of the units whose window is over, in the same order.
    public let outcomes: [Conversions]

    /// - Returns: nil for counts that cannot be.
    public init?(dimension: String, value: String, exposed: [Int], outcomes: [Conversions]) {
        guard exposed.count == outcomes.count, exposed.allSatisfy({ $0 <= Conversions.mostUnits }),
            zip(exposed, outcomes).allSatisfy({ $0 >= $1.units })
        else { return nil }
        self.dimension = dimension
        self.value = value
        self.exposed = exposed
        self.outcomes = outcomes
    }
}
