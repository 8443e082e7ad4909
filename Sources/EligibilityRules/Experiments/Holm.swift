/// Sture Holm's correction of p-values for their number: "A simple sequentially rejective multiple test procedure" (1979).
enum Holm {
    /// Returns the corrected p-values, in the order given.
    /// - Parameter count: the number of all comparisons, including those without a p-value.
    static func adjusted(_ values: [Double], of count: Int) -> [Double] {
        var (result, most) = (values, 0.0)
        for (rank, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
            most = max(most, min(1, values[index] * Double(count - rank)))
            result[index] = most
        }
        return result
    }
}
