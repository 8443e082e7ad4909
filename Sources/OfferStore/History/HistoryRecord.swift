package import EligibilityRules

/// What was found of a customer, in the store's own form as far as it can be: read by a `HistoryDecoder`.
///
/// Whoever needs the history makes it, on their own thread; what one thread allocates and another frees costs both.
public struct HistoryRecord: Sendable {
    package enum Content {
        case history(StoredHistory)
        /// A customer's record, and when a history was supplied that shows no subscription, or the whole account.
        case customer(suppliedAt: Instant?, completeAt: Instant?, bytes: [UInt8])
    }

    package let content: Content

    /// Whether making the history of it takes a hundred times what it does as a rule.
    package var isLong: Bool {
        if case .customer(_, _, let bytes) = content { bytes.count > 16_384 } else { false }
    }

    package init(_ content: Content) { self.content = content }

    /// A history that is made already.
    public init(_ history: StoredHistory) { content = .history(history) }
}
