package import EligibilityRules

/// An id, within an app in an environment, that rows of histories are found by.
package struct HistoryKey: Hashable, Comparable, Sendable {
    /// The app, by the store's number.
    package let app: Int64
    /// The id.
    package let text: ExactText

    package init(_ app: Int64, _ text: String) { (self.app, self.text) = (app, ExactText(text)) }

    /// The id.
    package var string: String { text.string }

    /// Orders by app, then by bytes. All transactions lock rows in this order.
    package static func < (left: HistoryKey, right: HistoryKey) -> Bool { (left.app, left.text) < (right.app, right.text) }

    /// Returns another id of the same app.
    func with(_ text: String) -> HistoryKey { HistoryKey(app, text) }
}
