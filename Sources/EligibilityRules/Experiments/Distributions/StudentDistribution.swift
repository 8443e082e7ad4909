/// Student's t distribution.
enum StudentDistribution {
    /// The probability of a value that is farther from 0 than t.
    static func twoSidedP(_ t: Double, degreesOfFreedom: Double) -> Double {
        let square = t * t
        let sum = degreesOfFreedom + square
        return BetaFunction.regularized(degreesOfFreedom / sum, complement: square / sum, degreesOfFreedom / 2, 0.5)
    }

    /// The half-width, in standard errors, of an interval that leaves `alpha` outside.
    static func criticalValue(alpha: Double, degreesOfFreedom: Double) -> Double {
        if degreesOfFreedom >= 2_000 { return expansion(NormalDistribution.criticalValue(alpha: alpha), degreesOfFreedom) }
        var (low, high) = (0.0, 2.0)
        while twoSidedP(high, degreesOfFreedom: degreesOfFreedom) > alpha { (low, high) = (high, high * 2) }
        while true {
            let middle = low + (high - low) / 2
            if middle <= low || middle >= high { return middle }
            if twoSidedP(middle, degreesOfFreedom: degreesOfFreedom) > alpha { low = middle } else { high = middle }
        }
    }

    // Cornish and Fisher's expansion; Abramowitz & Stegun 26.7.5.
    private static func expansion(_ z: Double, _ n: Double) -> Double {
        let s = z * z
        let first = z * (s + 1) / 4
        let second = z * (s * (5 * s + 16) + 3) / 96
        let third = z * (s * (s * (3 * s + 19) + 17) - 15) / 384
        let fourth = z * (s * (s * (s * (79 * s + 776) + 1482) - 1920) - 945) / 92_160
        return z + (first + (second + (third + fourth / n) / n) / n) / n
    }
}
