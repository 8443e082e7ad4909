/// b₀ + a₁/(b₁ + a₂/(b₂ + …)), by the method of Lentz and Thompson.
enum ContinuedFraction {
    /// - Parameter term: a and b of a step, counted from 1.
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
