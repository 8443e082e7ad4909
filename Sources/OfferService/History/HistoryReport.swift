/// What has become of the signed data that a backend submitted.
package struct HistoryReport: Equatable, Sendable {
    /// An element that was not taken in.
    package struct Rejection: Equatable, Sendable {
        /// The field of the request that has the list with the element.
        package let field: String
        package let index: Int
        /// The code with which signed data is refused, or `bound-to-another-customer`.
        package let code: String
        /// What is wrong with it, and what to do.
        package let detail: String
    }

    /// Why verifyReceipt has added nothing to what the receipt itself says.
    package struct Unanswered: Equatable, Sendable {
        /// `receipt-status-…`, or the code of a call to the App Store.
        package let code: String
        /// What verifyReceipt answered, or why there was no answer.
        package let detail: String
    }

    /// The number of elements that said something new.
    package var accepted = 0
    /// The number of elements that said nothing new.
    package var unchanged = 0
    package var rejected: [Rejection] = []
    /// Why only what the receipt itself says was stored, without what the App Store knows beyond it; nil if nothing failed.
    package var verifyReceipt: Unanswered?

    /// Records an element that is left out.
    mutating func reject(_ field: String, _ index: Int, code: String, _ detail: String) {
        rejected.append(Rejection(field: field, index: index, code: code, detail: detail))
    }

    /// The same report with more elements that were not taken in.
    func adding(_ more: [Rejection]) -> HistoryReport {
        var copy = self
        copy.rejected += more
        return copy
    }
}
