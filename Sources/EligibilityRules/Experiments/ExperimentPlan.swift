/// What is settled before an experiment's first unit: nothing here may depend on outcomes.
///
/// The family of comparisons – every variant against the control – keeps its error below 5 % by Bonferroni's correction: each of m
/// comparisons may err 5 % / m of the time.
public struct ExperimentPlan: Sendable {
    /// How often an interval may miss the true value, and a verdict be wrong where there is no difference.
    public static let alpha = 0.05
    /// How often the sample-ratio check may raise a false alarm.
    public static let sampleRatioAlpha = 0.001
    /// How often a difference of the chosen size is found.
    public static let power = 0.8
    /// No verdict with fewer units whose window is over, in any variant.
    public static let minimumUnits = 50
    /// No verdict with fewer units that reached the goal, in any variant.
    public static let minimumConversions = 5
    // Where no effect was named the sequence is tightest here; far from it, it is hardly wider.
    static let unitsWithoutEffect = 10_000.0

    /// The variants' shares in basis points, the control first.
    public let weights: [Int]
    /// When a verdict may be read.
    public let method: ExperimentMethod
    /// The smallest difference worth knowing; nil if nobody has said.
    public let effect: ChosenEffect?
    let comparisons: [PlannedComparison]
    let sampleRatio: SampleRatioTest

    /// - Returns: nil where a weight is negative, they sum up to 0, or the control has none beside variants that have.
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

    /// How many units, of all variants together, a test with one look needs to find the chosen effect four times out of five, rounded
    /// up; nil unless effect and expected share are named.
    public var unitsForFixedHorizon: Int? { Self.most(comparisons.map(\.unitsForOneLook)) }

    /// After how many units a sequential test has probably found the chosen effect; nil unless effect and expected share are named.
    public var unitsForSequential: Int? { Self.most(comparisons.map(\.unitsForSequence)) }

    /// How many units the verdict probably needs, by the plan's method.
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

    /// The method in the field's terms, for people who work the figures out again.
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
