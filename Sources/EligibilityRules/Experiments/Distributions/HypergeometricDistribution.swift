/// The distribution of the number of marked items among items that are drawn without replacement.
struct HypergeometricDistribution {
    /// The number of all items.
    let population: Double
    /// The number of marked items.
    let marked: Double
    /// The number of items drawn.
    let drawn: Double

    /// The probability of at least `count` marked items.
    ///
    /// Of the two tails, the one without the mode is summed, from its largest term outwards. After at most a few dozen standard
    /// deviations the terms no longer change the sum.
    func upperTail(_ count: Double) -> Double {
        let (least, most) = (max(0, drawn + marked - population), min(drawn, marked))
        if count <= least { return 1 }
        if count > most { return 0 }
        if count > drawn / population * marked {
            return sum(from: count) { x in
                (marked - x) * (drawn - x) / ((x + 1) * (population - marked - drawn + x + 1))
            } next: {
                $0 + 1
            }
        }
        return 1
            - sum(from: count - 1) { x in
                x * (population - marked - drawn + x) / ((marked - x + 1) * (drawn - x + 1))
            } next: {
                $0 - 1
            }
    }

    private func sum(from first: Double, ratio: (Double) -> Double, next: (Double) -> Double) -> Double {
        let start = logProbability(first)
        var (x, term, sum) = (first, 1.0, 1.0)
        while true {
            term *= ratio(x)
            x = next(x)
            if term <= sum * 0x1p-56 { break }
            sum += term
        }
        return min(1, Libm.exp(start + Libm.log(sum)))
    }

    /// The logarithm of the probability of exactly `count`, from three binomial probabilities (Loader).
    func logProbability(_ count: Double) -> Double {
        let share = drawn / population
        return Self.logBinomial(count, of: marked, share) + Self.logBinomial(drawn - count, of: population - marked, share)
            - Self.logBinomial(drawn, of: population, share)
    }

    private static func logBinomial(_ count: Double, of trials: Double, _ share: Double) -> Double {
        if count == 0 { return trials == 0 ? 0 : trials * Libm.log1p(-share) }
        if count == trials { return trials * Libm.log(share) }
        let rest = trials - count
        let errors = GammaFunction.stirlingError(trials) - GammaFunction.stirlingError(count) - GammaFunction.stirlingError(rest)
        let deviances =
            GammaFunction.deviance(count, expected: trials * share)
            + GammaFunction.deviance(rest, expected: trials * (1 - share))
        return errors - deviances + 0.5 * Libm.log(trials / (count * rest)) - GammaFunction.halfLogTwoPi
    }
}
