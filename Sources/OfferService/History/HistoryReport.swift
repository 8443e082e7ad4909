/// The outcome of the signed data that a backend submitted.
package struct HistoryReport: Equatable, Sendable {
    /// An element that was refused.
    package struct Rejection: Equatable, Sendable {
        /// The list that contains it.
        package let field: String
        package let index: Int
        /// One of the refusal codes of signed data, or `bound-to-another-customer`.
        package let code: String
        /// What to do about it.
        package let detail: String
    }

    /// Why verifyReceipt added nothing.
    package struct Unanswered: Equatable, Sendable {
        /// `receipt-status-…`, or the code of a call to the App Store.
        package let code: String
        /// What was answered, or why there was no answer.
        package let detail: String
    }

    /// The number of elements with something new.
    package var accepted = 0
    /// The number of elements that were known already.
    package var unchanged = 0
    package var rejected: [Rejection] = []
    /// Why only what a receipt says itself is stored, and not what the App Store knows of it; nil if nothing failed.
    package var verifyReceipt: Unanswered?

    /// Records an element that is left out.
    mutating func reject(_ field: String, _ index: Int, code: String, _ detail: String) {
        rejected.append(Rejection(field: field, index: index, code: code, detail: detail))
    }

    /// The report with further rejections.
    func adding(_ more: [Rejection]) -> HistoryReport {
        var copy = self
        copy.rejected += more
        return copy
    }
}
