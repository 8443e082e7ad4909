/// The stored form of a customer's history, read with a `HistoryDecoder`.
///
/// The caller that needs the history decodes it on its own thread. Memory allocated on one thread and freed on another slows
/// both.
public struct HistoryRecord: Sendable {
    package enum Content {
        case history(StoredHistory)
        /// The customer's name and record, the record of the Apple accounts' other subscriptions, and what neither contains.
        case customer(CustomerTimes, name: String, bytes: [UInt8], account: [UInt8])
    }

    package let content: Content

    /// The record itself, or decoded if that takes a hundred times longer than usual. No caller waits here.
    package var shortened: HistoryRecord {
        guard case .customer(_, _, let bytes, let account) = content, bytes.count + account.count > 16_384 else { return self }
        return HistoryRecord(HistoryDecoder().history(self))
    }

    /// What cannot be derived from the subscriptions; nil for a decoded history.
    package var times: CustomerTimes? {
        guard case .customer(let times, _, _, _) = content else { return nil }
        return times
    }

    package init(_ content: Content) { self.content = content }

    /// Takes a decoded history.
    public init(_ history: StoredHistory) { content = .history(history) }
}
