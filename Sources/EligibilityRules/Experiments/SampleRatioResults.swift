/// Whether units are split as planned.
public struct SampleRatioResults: Sendable {
    /// Whether they are not; then there is no verdict, and nothing is compared.
    public let isOff: Bool
    /// A p-value that holds however often one looks; at the look of a fixed horizon that of chi-square. `isOff` is not a matter of
    /// this alone: both checks must hold.
    public let p: Double
    /// Units that each variant would have if the split were exact.
    public let expected: [Double]
    /// Units that it has.
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
