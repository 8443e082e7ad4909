/// The standard normal distribution.
enum NormalDistribution {
    /// The probability of a value above z.
    static func upperTail(_ z: Double) -> Double { 0.5 * Libm.erfc(z / 2.0.squareRoot()) }

    /// The probability of a value that is farther from 0 than z.
    static func twoSidedP(_ z: Double) -> Double { Libm.erfc(abs(z) / 2.0.squareRoot()) }

    /// The z that is exceeded with a given probability, between 0 and 1.
    static func quantile(upperTail tail: Double) -> Double {
        if tail > 0.5 { return -quantile(upperTail: 1 - tail) }
        guard tail > 0 else { return .infinity }
        // Abramowitz & Stegun 26.2.23 is accurate to 4.5e-4. Each step of Halley's method triples the digits.
        let t = (-2 * Libm.log(tail)).squareRoot()
        var z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
        for _ in 0..<3 {
            let density = Libm.exp(-z * z / 2 - GammaFunction.halfLogTwoPi)
            let step = (upperTail(z) - tail) / density
            z += step / (1 - step * z / 2)
        }
        return z
    }

    /// The half-width, in standard errors, of an interval that leaves `alpha` outside.
    static func criticalValue(alpha: Double) -> Double { quantile(upperTail: alpha / 2) }
}
