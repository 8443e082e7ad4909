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
