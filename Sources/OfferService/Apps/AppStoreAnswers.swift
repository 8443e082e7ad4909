package import FoundationEssentials

/// How the App Store's questions about an app's customers are answered.
package struct AppStoreAnswers: Sendable {
    /// The id of the Retention Messaging text for when no campaign decides in time; nil: the service returns none.
    package let retentionMessage: UUID?
    /// The answer to a refund request.
    package let refunds: RefundTerms

    package init(retentionMessage: UUID? = nil, refunds: RefundTerms = .off) {
        self.retentionMessage = retentionMessage
        self.refunds = refunds
    }

    /// Questions about refunds are not answered.
    package static let none = AppStoreAnswers()
}
