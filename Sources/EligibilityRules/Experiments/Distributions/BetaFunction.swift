/// The beta function of positive numbers.
enum BetaFunction {
    /// log B(a, b).
    static func logarithm(_ a: Double, _ b: Double) -> Double {
        let sum = a + b
        let errors = GammaFunction.stirlingError(a) + GammaFunction.stirlingError(b) - GammaFunction.stirlingError(sum)
        return (a - 0.5) * log(share: a, other: b) + (b - 0.5) * log(share: b, other: a) - 0.5 * Libm.log(sum)
            + GammaFunction.halfLogTwoPi + errors
    }

    /// The regularised incomplete beta function I_x(a, b), the share of B(a, b) below x.
    ///
    /// - Parameter complement: 1 − x, which the caller knows more precisely if x is close to 1.
    static func regularized(_ x: Double, complement: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard complement > 0 else { return 1 }
        if x > (a + 1) / (a + b + 2) { return 1 - regularized(complement, complement: x, b, a) }
        let logX = x < 0.5 ? Libm.log(x) : Libm.log1p(-complement)
        let logComplement = complement < 0.5 ? Libm.log(complement) : Libm.log1p(-x)
        let front = Libm.exp(a * logX + b * logComplement - logarithm(a, b)) / a
        let fraction = ContinuedFraction.value(first: 1) { step in
            let m = Double(step / 2)
            let numerator =
                step.isMultiple(of: 2)
                ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            return (numerator, 1)
        }
        return front / fraction
    }

    private static func log(share: Double, other: Double) -> Double {
        share < other ? Libm.log(share / (share + other)) : Libm.log1p(-other / (share + other))
    }
}

/// The continued fraction b₀ + a₁/(b₁ + a₂/(b₂ + …)), by the method of Lentz and Thompson.
enum ContinuedFraction {
    /// Computes the value.
    ///
    /// - Parameters:
    ///   - first: b₀.
    ///   - term: returns a and b of a step; the first step is 1.
    static func value(first: Double, term: (Int) -> (a: Double, b: Double)) -> Double {
        let tiny = 1e-300
        var value = first == 0 ? tiny : first
        var (c, d) = (value, 0.0)
        for step in 1...100_000 {
            let (a, b) = term(step)
            d = b + a * d
            c = b + a / c
            if d == 0 { d = tiny }
            if c == 0 { c = tiny }
            d = 1 / d
            value *= c * d
            if abs(c * d - 1) < 0x1p-52 { break }
        }
        return value
    }
}
