/// What became of the signed data that a backend handed in.
package struct HistoryReport: Equatable, Sendable {
    /// One element that was not taken.
    package struct Rejection: Equatable, Sendable {
        /// The list that it stands in.
        package let field: String
        package let index: Int
        /// Why; one of the refusal codes of signed data, or `bound-to-another-customer`.
        package let code: String
        /// What to do about it.
        package let detail: String
    }

    /// How many brought something new.
    package var accepted = 0
    /// How many were known already.
    package var unchanged = 0
    package var rejected: [Rejection] = []

    /// Notes an element that is left out.
    mutating func reject(_ field: String, _ index: Int, code: String, _ detail: String) {
        rejected.append(Rejection(field: field, index: index, code: code, detail: detail))
    }

    /// The same report with further rejections.
    func adding(_ more: [Rejection]) -> HistoryReport {
        var copy = self
        copy.rejected += more
        return copy
    }
}
