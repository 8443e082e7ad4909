/// Whether the variants get units in the ratio of their weights.
///
/// At any time by a mixture e-value: how much likelier the counts are under shares drawn from Dirichlet(κ · weights) than under the
/// weights. Michael Lindon and Alan Malek, "Anytime-valid inference for multinomial count data" (NeurIPS 2022). Under the right
/// shares it ever exceeds 1/α with a chance of at most α, however often one looks (Ville's inequality).
struct SampleRatioTest: Sendable {
    /// κ: the shares that count as "off" lie around the weights as if 100 units had been seen; half and half means ± 5 points.
    static let concentration = 100.0

    /// The planned shares; they sum up to 1.
    let shares: [Double]

    /// - Returns: nil where a weight is negative, or all are 0.
    init?(weights: [Int]) {
        guard let most = weights.max(), most > 0, weights.allSatisfy({ 0...1_000_000_000 ~= $0 }) else { return nil }
        let all = Double(weights.reduce(0, +))
        shares = weights.map { Double($0) / all }
    }

    /// The logarithm of the e-value; infinite where a unit is in a variant that gets none.
    func logEValue(_ observed: [Int]) -> Double {
        let kappa = Self.concentration
        let sum = observed.reduce(0.0) { $0 + Double($1) } + kappa
        var (log, places) = (GammaFunction.stirlingError(kappa) - GammaFunction.stirlingError(sum), 0.0)
        for (share, count) in zip(shares, observed) {
            guard share > 0 else {
                if count > 0 { return .infinity } else { continue }
            }
            let (prior, posterior, expected) = (kappa * share, kappa * share + Double(count), sum * share)
            // Logarithms of Γ would lose their digits against each other; what is left after they cancel does not.
            log += GammaFunction.deviance(posterior, expected: expected) - 0.5 * Libm.log(posterior / expected)
            log += GammaFunction.stirlingError(posterior) - GammaFunction.stirlingError(prior)
            places += 1
        }
        return log - (places - 1) / 2 * Libm.log(sum / kappa)
    }

    /// A p-value that holds however often one looks.
    func sequentialP(_ observed: [Int]) -> Double { min(1, Libm.exp(-logEValue(observed))) }

    /// Pearson's chi-square test, for one look; degrees of freedom: variants with weight − 1.
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
