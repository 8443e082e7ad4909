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
