/// Basis points as people read them: `50 %`, `0.5 %`.
package enum ShareText {
    /// The percentage.
    package static func words(_ basisPoints: Int) -> String {
        let (whole, rest) = basisPoints.magnitude.quotientAndRemainder(dividingBy: 100)
        let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(basisPoints < 0 ? "-" : "")\(whole)\(digits) %"
    }
}
