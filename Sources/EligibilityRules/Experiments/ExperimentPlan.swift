/// What is settled before an experiment's first unit. Nothing here may depend on outcomes.
///
/// Every variant is compared with the control. Bonferroni's correction keeps the error of this family below 5 %:
/// each of m comparisons may err 5 % / m of the time.
public struct ExperimentPlan: Sendable {
    /// The probability that an interval misses the true value, and of a wrong verdict where there is no difference.
    public static let alpha = 0.05
    /// The probability of a false alarm of the sample ratio check.
    public static let sampleRatioAlpha = 0.001
    /// The probability of finding a difference of the chosen size.
    public static let power = 0.8
    /// The fewest units whose window is over, in any variant, for a verdict.
    public static let minimumUnits = 50
    /// The fewest units that reached the goal, in any variant, for a verdict.
    public static let minimumConversions = 5
    // Where no effect is given the sequence is tightest here. Far from it, it is hardly wider.
    static let unitsWithoutEffect = 10_000.0

    /// The variants' shares in basis points, the control first.
    public let weights: [Int]
    /// When a verdict may be read.
    public let method: ExperimentMethod
    /// The smallest difference to detect; nil if not given.
    public let effect: ChosenEffect?
    let comparisons: [PlannedComparison]
    let sampleRatio: SampleRatioTest

    /// - Returns: nil where a weight is out of range, or the control has none.
    public init?(weights: [Int], method: ExperimentMethod = .sequential, effect: ChosenEffect? = nil) {
        guard let sampleRatio = SampleRatioTest(weights: weights), weights[0] > 0 else { return nil }
        self.weights = weights
        self.method = method
        self.effect = effect
        self.sampleRatio = sampleRatio
        let compared = weights.indices.dropFirst().filter { weights[$0] > 0 }
        let all = weights.reduce(0, +)
        comparisons = compared.map { variant in
            PlannedComparison(
                variant: variant, alpha: Self.alpha / Double(compared.count), weights: (weights[0], weights[variant], all),
                effect: effect)
        }
    }

    /// The units, of all variants together, with which a test with one look finds the chosen effect with 80 % power.
    /// Rounded up; nil unless the effect and the expected rate are given.
    public var unitsForFixedHorizon: Int? { Self.most(comparisons.map(\.unitsForOneLook)) }

    /// The units after which a sequential test has probably found the chosen effect.
    /// Nil unless the effect and the expected rate are given.
    public var unitsForSequential: Int? { Self.most(comparisons.map(\.unitsForSequence)) }

    /// The units that the verdict probably needs, by the plan's method.
    public var unitsNeeded: Int? {
        switch method {
        case .sequential: unitsForSequential
        case .fixedHorizon(let units): units
        }
    }

    private static func most(_ units: [Double?]) -> Int? {
        let known = units.compactMap(\.self)
        guard let most = known.max(), known.count == units.count else { return nil }
        return Int(exactly: most.rounded(.up))
    }

    /// The method in statistical terms, so that the figures can be recomputed.
    public var methodText: String {
        let correction = comparisons.count > 1 ? ", Bonferroni over \(comparisons.count) comparisons" : ""
        let ratio = "sample ratio: Dirichlet-multinomial e-value"
        switch method {
        case .sequential:
            return "sequential: asymptotic confidence sequence, alpha 0.05\(correction); \(ratio)"
        case .fixedHorizon(let units):
            return "fixed horizon of \(units) units: Newcombe interval, alpha 0.05\(correction); \(ratio), chi-square at the look"
        }
    }
}
