package import EligibilityRules

/// An id of an app's in an environment, which rows of histories are found by; the app goes by a number of the store's.
package struct HistoryKey: Hashable, Comparable, Sendable {
    /// The app.
    package let app: Int64
    /// The id.
    package let text: ExactText

    /// Takes the values as they are.
    package init(_ app: Int64, _ text: String) { (self.app, self.text) = (app, ExactText(text)) }

    /// The id.
    package var string: String { text.string }

    /// By app, then byte by byte: all who lock rows do so in this order.
    package static func < (left: HistoryKey, right: HistoryKey) -> Bool { (left.app, left.text) < (right.app, right.text) }

    /// Another id of the same app.
    func with(_ text: String) -> HistoryKey { HistoryKey(app, text) }
}
