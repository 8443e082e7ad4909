/// The logarithm of the gamma function of positive numbers, and what follows from it.
///
/// It is the logarithm because the function itself would overflow for large counts.
enum GammaFunction {
    /// ½ log 2π.
    static let halfLogTwoPi = 0.918_938_533_204_672_741_78

    /// The error of Stirling's formula: log Γ(x) − (x − ½) log x + x − ½ log 2π.
    ///
    /// Differences of log Γ are computed from this error, because the difference of two large logarithms would lose digits.
    /// Abramowitz & Stegun 6.1.41.
    static func stirlingError(_ x: Double) -> Double {
        var (x, sum) = (x, 0.0)
        while x < 16 {
            sum += (x + 0.5) * Libm.log1p(1 / x) - 1
            x += 1
        }
        let square = 1 / (x * x)
        let series = 1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188)))
        return sum + series / x
    }

    /// log Γ(x).
    static func logarithm(_ x: Double) -> Double { (x - 0.5) * Libm.log(x) - x + halfLogTwoPi + stirlingError(x) }

    /// Returns x log(x / expected) + expected − x, which is half a G statistic.
    ///
    /// No digits are lost if the two numbers are close. Catherine Loader, "Fast and accurate computation of binomial
    /// probabilities" (2000).
    static func deviance(_ x: Double, expected: Double) -> Double {
        if x == 0 { return expected }
        let difference = x - expected
        guard abs(difference) < 0.1 * (x + expected) else { return x * Libm.log(x / expected) - difference }
        let v = difference / (x + expected)
        var (sum, power, divisor) = (difference * v, 2 * x * v, 1.0)
        while true {
            power *= v * v
            divisor += 2
            let next = sum + power / divisor
            if next == sum { return sum }
            sum = next
        }
    }

    /// The regularised upper incomplete gamma function Q(a, x), the share of Γ(a) above x.
    static func regularizedUpper(_ a: Double, _ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x < .infinity else { return 0 }
        let front = Libm.exp(a * Libm.log(x) - x - logarithm(a))
        if x < a + 1 {
            var (term, sum, divisor) = (1 / a, 1 / a, a)
            while term > sum * 0x1p-54 {
                divisor += 1
                term *= x / divisor
                sum += term
            }
            return max(0, 1 - front * sum)
        }
        // The continued fraction has the numerators −i(i − a) and denominators that grow by 2.
        var denominator = x + 1 - a
        let first = denominator
        let fraction = ContinuedFraction.value(first: first) { step in
            denominator += 2
            return (-Double(step) * (Double(step) - a), denominator)
        }
        return front / fraction
    }
}
