/// The plan of an A/B test and what was counted so far: all that its results follow from.
public struct Experiment: Sendable {
    /// What was settled before.
    public let plan: ExperimentPlan
    /// The variants, the control first, in the order of the plan's weights.
    public let variants: [VariantTally]
    /// Units that saw two variants: set aside and counted.
    public let unitsInTwoVariants: Int
    /// How fast units come; nil if nobody knows.
    public let pace: ExposurePace?
    /// The same counts for parts of the units.
    public let segments: [SegmentTally]

    /// - Returns: nil unless there is a tally for each weight of the plan, in each segment, too.
    public init?(
        plan: ExperimentPlan,
        variants: [VariantTally],
        unitsInTwoVariants: Int = 0,
        pace: ExposurePace? = nil,
        segments: [SegmentTally] = []
    ) {
        guard variants.count == plan.weights.count, segments.allSatisfy({ $0.exposed.count == variants.count }) else {
            return nil
        }
        self.plan = plan
        self.variants = variants
        self.unitsInTwoVariants = unitsInTwoVariants
        self.pace = pace
        self.segments = segments
    }

    var counts: ExperimentCounts {
        let atHorizon = variants.compactMap(\.atHorizon)
        return ExperimentCounts(
            exposed: variants.map(\.exposed), outcomes: variants.map(\.outcomes),
            atHorizon: atHorizon.count == variants.count ? atHorizon : nil)
    }
}
