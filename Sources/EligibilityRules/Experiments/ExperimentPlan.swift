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

/// When a verdict may be read.
public enum ExperimentMethod: Hashable, Sendable {
    /// At any time, as often as wanted.
    case sequential
    /// Once: when the first `units` of all variants together have been exposed and their windows are over.
    case fixedHorizon(units: Int)
}

/// The smallest difference to detect, as a marketer chooses it.
public struct ChosenEffect: Hashable, Sendable {
    /// The difference of two rates, above 0 and below 1: 0.02 is two customers of 100.
    public let detect: Double
    /// The expected rate of the control; nil if not given.
    public let expected: Double?

    /// - Returns: nil if `detect` or `expected` is out of range, or their sum is not below 1.
    public init?(detect: Double, expected: Double? = nil) {
        guard detect > 0, detect < 1 else { return nil }
        if let expected, !(expected > 0 && expected + detect < 1) { return nil }
        self.detect = detect
        self.expected = expected
    }
}

/// Tests whether the variants receive units in the ratio of their weights.
///
/// It uses a mixture e-value: the likelihood of the counts under shares drawn from Dirichlet(κ · weights), relative to that under
/// the weights. Michael Lindon and Alan Malek, "Anytime-valid inference for multinomial count data" (NeurIPS 2022).
/// Under the right shares it ever exceeds 1/α with a probability of at most α, however often it is read (Ville's inequality).
struct SampleRatioTest: Sendable {
    /// κ: the shares of a mismatch lie around the weights as if 100 units had been seen. For two equal shares that is ± 5 points.
    static let concentration = 100.0

    /// The planned shares, which sum to 1.
    let shares: [Double]

    /// - Returns: nil where a weight is not in 0…10⁹, or all are 0.
    init?(weights: [Int]) {
        guard let most = weights.max(), most > 0, weights.allSatisfy({ 0...1_000_000_000 ~= $0 }) else { return nil }
        let all = Double(weights.reduce(0, +))
        shares = weights.map { Double($0) / all }
    }

    /// The logarithm of the e-value; infinite where a variant without weight has a unit.
    func logEValue(_ observed: [Int]) -> Double {
        let kappa = Self.concentration
        let sum = observed.reduce(0.0) { $0 + Double($1) } + kappa
        var (log, places) = (GammaFunction.stirlingError(kappa) - GammaFunction.stirlingError(sum), 0.0)
        for (share, count) in zip(shares, observed) {
            guard share > 0 else {
                if count > 0 { return .infinity } else { continue }
            }
            let (prior, posterior, expected) = (kappa * share, kappa * share + Double(count), sum * share)
            // Differences of log Γ would lose their digits. These terms, which remain after cancellation, do not.
            log += GammaFunction.deviance(posterior, expected: expected) - 0.5 * Libm.log(posterior / expected)
            log += GammaFunction.stirlingError(posterior) - GammaFunction.stirlingError(prior)
            places += 1
        }
        return log - (places - 1) / 2 * Libm.log(sum / kappa)
    }

    /// An always-valid p-value.
    func sequentialP(_ observed: [Int]) -> Double { min(1, Libm.exp(-logEValue(observed))) }

    /// Pearson's chi-square test, for one look. The degrees of freedom are the variants with weight, minus 1.
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
