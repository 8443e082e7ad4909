/// The plan of an A/B test and its counts so far: everything that its results follow from.
public struct Experiment: Sendable {
    /// The plan, settled beforehand.
    public let plan: ExperimentPlan
    /// The variants, the control first, in the order of the plan's weights.
    public let variants: [VariantTally]
    /// Units that saw two variants. They are set aside and counted here.
    public let unitsInTwoVariants: Int
    /// How fast units arrive; nil if unknown.
    public let pace: ExposurePace?
    /// The same counts, by segment of the units.
    public let segments: [SegmentTally]

    /// - Returns: nil unless the variants, and those of each segment, match the weights of the plan in number.
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
