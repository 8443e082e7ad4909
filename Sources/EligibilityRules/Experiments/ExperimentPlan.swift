/// What is settled before an experiment's first unit.
///
/// Nothing here may depend on outcomes. Every variant is compared with the control. Bonferroni's correction keeps the
/// probability of any error among these comparisons at 5 % or less: each of m comparisons may err with 5 % / m.
///
/// A variant that does better than the control is compared with its rivals, too. Each of these m(m − 1)/2 comparisons may err with
/// 5 % / (m(m − 1)/2), and the probability of any error in all statements stays at 5 % or less. Suppose that `a` variants are no
/// better than the control. A statement that one of these beats a rival needs the false statement that it beats the control; these err
/// with a/m · 5 %. A statement that another variant beats one of these is true. The comparisons of the other variants with each
/// other err with (m − a)(m − a − 1)/(m(m − 1)) · 5 %, which is at most (m − a)/m · 5 %.
///
/// This is about the measure on which the verdict rests: the rates, or what a unit pays if that is the goal. The other of the two is
/// compared between all variants, with 5 % for these comparisons together.
public struct ExperimentPlan: Sendable {
    /// The greatest probability that an interval misses the true value, and that the verdict names a winner without a difference.
    public static let alpha = 0.05
    /// The probability that the sample ratio check reports a mismatch if there is none.
    public static let sampleRatioAlpha = 0.001
    /// The probability that an existing difference of the chosen size is found.
    public static let power = 0.8
    /// How many units whose window is over each variant needs for a verdict.
    public static let minimumUnits = 50
    /// How many units that reached the goal each variant needs for a verdict.
    public static let minimumConversions = 5
    // If no effect is given, the sequence is made tightest at this number of units. It is hardly wider at very different numbers.
    static let unitsWithoutEffect = 10_000.0

    /// The variants' shares in basis points, the control first.
    public let weights: [Int]
    /// What the verdict rests on.
    public let measure: ExperimentMeasure
    /// When a verdict may be read.
    public let method: ExperimentMethod
    /// The smallest difference to detect; nil if not given.
    public let effect: ChosenEffect?
    /// The comparisons of the variants with the control.
    let comparisons: [PlannedComparison]
    /// The comparisons of the variants with each other, without the control.
    let rivals: [PlannedComparison]
    let sampleRatio: SampleRatioTest

    /// Creates a plan; nil if a weight is out of range, or if the control has no weight.
    public init?(
        weights: [Int],
        measure: ExperimentMeasure = .conversion,
        method: ExperimentMethod = .sequential,
        effect: ChosenEffect? = nil
    ) {
        guard let sampleRatio = SampleRatioTest(weights: weights), weights[0] > 0 else { return nil }
        self.weights = weights
        self.measure = measure
        self.method = method
        self.effect = effect
        self.sampleRatio = sampleRatio
        let compared = weights.indices.dropFirst().filter { weights[$0] > 0 }
        let pairs = compared.indices.flatMap { index in compared[..<index].map { (base: $0, other: compared[index]) } }
        let beside = Self.alpha / Double(max(1, compared.count + pairs.count))
        func plan(_ variant: Int, _ base: Int, of count: Int) -> PlannedComparison {
            PlannedComparison(
                of: variant, with: base, measure, alpha: (Self.alpha / Double(count), beside), weights: weights, effect: effect)
        }
        comparisons = compared.map { plan($0, 0, of: compared.count) }
        rivals = pairs.map { plan($0.other, $0.base, of: pairs.count) }
    }

    /// How many units, of all variants together, a test that is read once needs to find the chosen effect with 80 % power.
    ///
    /// Nil unless the effect and the expected rate, or the standard deviation of payments, are given.
    public var unitsForFixedHorizon: Int? { Self.most(comparisons.map(\.unitsForOneLook)) }

    /// After how many units, of all variants together, a sequential test has probably found the chosen effect.
    ///
    /// Nil unless the effect and the expected rate, or the standard deviation of payments, are given.
    public var unitsForSequential: Int? { Self.most(comparisons.map(\.unitsForSequence)) }

    /// How many units, of all variants together, the plan's method probably needs for a verdict; nil if that is not known.
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
        let (subject, interval) = measure == .conversion ? ("", "Newcombe") : ("revenue per unit, ", "Welch")
        switch method {
        case .sequential:
            return "sequential: \(subject)asymptotic confidence sequence, alpha 0.05\(correction); \(ratio)"
        case .fixedHorizon(let units):
            return "fixed horizon of \(units) units: \(subject)\(interval) interval, alpha 0.05\(correction); \(ratio),"
                + " chi-square at the look"
        }
    }
}

/// When a verdict may be read.
public enum ExperimentMethod: Hashable, Sendable {
    /// At any time, as often as wanted.
    case sequential
    /// Once, when the first `units` of all variants together have been exposed and their windows are over.
    case fixedHorizon(units: Int)
}

/// The smallest difference to detect, as a marketer chooses it.
public struct ChosenEffect: Hashable, Sendable {
    /// The difference of two rates, above 0 and below 1: 0.02 is two customers of 100. If the goal is revenue, the difference of what
    /// a unit pays on average, in the goal's currency.
    public let detect: Double
    /// The expected rate of the control; nil if not given, and if the goal is revenue.
    public let expected: Double?
    /// How much the payments of units are expected to vary, in the goal's currency; nil if not given, and unless the goal is revenue.
    public let standardDeviation: Double?

    /// Creates an effect; nil if `detect` or `expected` is out of range, or if their sum is not below 1.
    public init?(detect: Double, expected: Double? = nil) {
        guard detect > 0, detect < 1 else { return nil }
        if let expected, !(expected > 0 && expected + detect < 1) { return nil }
        self.detect = detect
        self.expected = expected
        standardDeviation = nil
    }

    /// Creates an effect on revenue; nil if `detect` or `standardDeviation` is not above 0.
    public init?(detect: Double, standardDeviation: Double?) {
        guard detect > 0, detect.isFinite, standardDeviation.map({ $0 > 0 && $0.isFinite }) ?? true else { return nil }
        self.detect = detect
        expected = nil
        self.standardDeviation = standardDeviation
    }

    /// Returns the same effect with another difference; nil if that is out of range.
    func with(detect: Double) -> ChosenEffect? {
        standardDeviation.map { ChosenEffect(detect: detect, standardDeviation: $0) }
            ?? ChosenEffect(detect: detect, expected: expected)
    }
}
