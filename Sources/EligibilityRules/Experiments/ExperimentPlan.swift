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
/// Revenue is compared between all variants, with 5 % for these comparisons together.
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
    public init?(weights: [Int], method: ExperimentMethod = .sequential, effect: ChosenEffect? = nil) {
        guard let sampleRatio = SampleRatioTest(weights: weights), weights[0] > 0 else { return nil }
        self.weights = weights
        self.method = method
        self.effect = effect
        self.sampleRatio = sampleRatio
        let compared = weights.indices.dropFirst().filter { weights[$0] > 0 }
        let pairs = compared.indices.flatMap { index in compared[..<index].map { (base: $0, other: compared[index]) } }
        let money = Self.alpha / Double(max(1, compared.count + pairs.count))
        comparisons = compared.map { variant in
            PlannedComparison(
                of: variant, alpha: (Self.alpha / Double(compared.count), money), weights: weights, effect: effect)
        }
        rivals = pairs.map { base, other in
            PlannedComparison(
                of: other, with: base, alpha: (Self.alpha / Double(pairs.count), money), weights: weights, effect: effect)
        }
    }

    /// How many units, of all variants together, a test that is read once needs to find the chosen effect with 80 % power.
    ///
    /// Nil unless the effect and the expected rate are given.
    public var unitsForFixedHorizon: Int? { Self.most(comparisons.map(\.unitsForOneLook)) }

    /// After how many units, of all variants together, a sequential test has probably found the chosen effect.
    ///
    /// Nil unless the effect and the expected rate are given.
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
        switch method {
        case .sequential:
            return "sequential: asymptotic confidence sequence, alpha 0.05\(correction); \(ratio)"
        case .fixedHorizon(let units):
            return "fixed horizon of \(units) units: Newcombe interval, alpha 0.05\(correction); \(ratio), chi-square at the look"
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
    /// The difference of two rates, above 0 and below 1: 0.02 is two customers of 100.
    public let detect: Double
    /// The expected rate of the control; nil if not given.
    public let expected: Double?

    /// Creates an effect; nil if `detect` or `expected` is out of range, or if their sum is not below 1.
    public init?(detect: Double, expected: Double? = nil) {
        guard detect > 0, detect < 1 else { return nil }
        if let expected, !(expected > 0 && expected + detect < 1) { return nil }
        self.detect = detect
        self.expected = expected
    }
}

/// Tests whether the variants receive units in the ratio of their weights.
///
/// The test uses a mixture e-value: the likelihood of the counts if the shares are drawn from Dirichlet(κ · weights), divided by
/// their likelihood if the shares are the weights. If they are, the probability that the e-value ever exceeds 1/α is at most α,
/// however often it is read (Ville's inequality).
/// Michael Lindon and Alan Malek, "Anytime-valid inference for multinomial count data" (NeurIPS 2022).
struct SampleRatioTest: Sendable {
    /// κ, which says how far from the weights the shares are expected to lie if there is a mismatch.
    ///
    /// They scatter as the shares of 100 units would: for two equal weights, by ± 5 percentage points.
    static let concentration = 100.0

    /// The planned shares, which sum to 1.
    let shares: [Double]

    /// Turns weights into shares; nil if a weight is not in 0…10⁹, or if all weights are 0.
    init?(weights: [Int]) {
        guard let most = weights.max(), most > 0, weights.allSatisfy({ 0...1_000_000_000 ~= $0 }) else { return nil }
        let all = Double(weights.reduce(0, +))
        shares = weights.map { Double($0) / all }
    }

    /// Returns the logarithm of the e-value; infinite if a variant without weight has a unit.
    func logEValue(_ observed: [Int]) -> Double {
        let kappa = Self.concentration
        let sum = observed.reduce(0.0) { $0 + Double($1) } + kappa
        var (log, places) = (GammaFunction.stirlingError(kappa) - GammaFunction.stirlingError(sum), 0.0)
        for (share, count) in zip(shares, observed) {
            guard share > 0 else {
                if count > 0 { return .infinity } else { continue }
            }
            let (prior, posterior, expected) = (kappa * share, kappa * share + Double(count), sum * share)
            // Differences of log Γ would lose digits. These terms are what remains when the differences are taken on paper.
            log += GammaFunction.deviance(posterior, expected: expected) - 0.5 * Libm.log(posterior / expected)
            log += GammaFunction.stirlingError(posterior) - GammaFunction.stirlingError(prior)
            places += 1
        }
        return log - (places - 1) / 2 * Libm.log(sum / kappa)
    }

    /// Returns the p-value that follows from the e-value.
    ///
    /// It is valid however often it is read.
    func sequentialP(_ observed: [Int]) -> Double { min(1, Libm.exp(-logEValue(observed))) }

    /// Returns the result of Pearson's chi-square test, which is valid if it is read once.
    ///
    /// The degrees of freedom are the number of variants with weight, minus 1.
    func chiSquared(_ observed: [Int]) -> (statistic: Double, p: Double) {
        let sum = observed.reduce(0.0) { $0 + Double($1) }
        guard sum > 0 else { return (0, 1) }
        var (statistic, places) = (0.0, 0)
        for (share, count) in zip(shares, observed) {
            guard share > 0 else {
                if count > 0 { return (.infinity, 0) } else { continue }
            }
            let difference = Double(count) - sum * share
            statistic += difference * difference / (sum * share)
            places += 1
        }
        guard places > 1 else { return (0, 1) }
        return (statistic, GammaFunction.regularizedUpper(Double(places - 1) / 2, statistic / 2))
    }
}
