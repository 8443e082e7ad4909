/// The result of the sample ratio check.
public struct SampleRatioResults: Sendable {
    /// Whether there is a sample ratio mismatch. Then there is no verdict, and nothing is compared.
    public let isOff: Bool
    /// An always-valid p-value; at the look of a fixed horizon, that of chi-square.
    /// `isOff` does not depend on this alone: both checks must pass.
    public let p: Double
    /// The units of each variant if the split were exact.
    public let expected: [Double]
    /// The units of each variant.
    public let observed: [Int]

    init(_ plan: ExperimentPlan, _ counts: ExperimentCounts) {
        let horizon = plan.horizon(of: counts)
        isOff = plan.isSplitOff(counts)
        p = horizon.map { plan.sampleRatio.chiSquared($0.map(\.units)).p } ?? plan.sampleRatio.sequentialP(counts.exposed)
        let all = counts.exposed.reduce(0.0) { $0 + Double($1) }
        expected = plan.sampleRatio.shares.map { $0 * all }
        observed = counts.exposed
    }
}
