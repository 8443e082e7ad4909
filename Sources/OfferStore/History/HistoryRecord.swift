/// What was found of a customer, in the store's own form as far as it can be: read by a `HistoryDecoder`.
///
/// Whoever needs the history makes it, on their own thread; what one thread allocates and another frees costs both.
public struct HistoryRecord: Sendable {
    package enum Content {
        case history(StoredHistory)
        /// A customer's own name and record, that of the same Apple accounts' other subscriptions, and what does not follow from them.
        case customer(CustomerTimes, name: String, bytes: [UInt8], account: [UInt8])
    }

    package let content: Content

    /// Itself, but the history of it where making that takes a hundred times what it does as a rule: here it keeps nobody waiting.
    package var shortened: HistoryRecord {
        guard case .customer(_, _, let bytes, let account) = content, bytes.count + account.count > 16_384 else { return self }
        return HistoryRecord(HistoryDecoder().history(self))
    }

    /// What does not follow from the subscriptions; nil where the history is made already.
    package var times: CustomerTimes? {
        guard case .customer(let times, _, _, _) = content else { return nil }
        return times
    }

    package init(_ content: Content) { self.content = content }

    /// A history that is made already.
    public init(_ history: StoredHistory) { content = .history(history) }
}
