/// The stored form of a customer's history, read with a `HistoryDecoder`.
///
/// The caller that needs the history decodes it on its own thread, because memory that one thread allocates and another frees
/// slows both.
public struct HistoryRecord: Sendable {
    package enum Content {
        case history(StoredHistory)
        /// A customer's times, name and record, and the record of the other subscriptions of the customer's Apple accounts.
        case customer(CustomerTimes, name: String, bytes: [UInt8], account: [UInt8])
    }

    package let content: Content

    /// The same record, decoded already if it is so large that decoding takes a hundred times longer than usual.
    ///
    /// The thread that reads from the store decodes a large record here, so that the record does not block the caller's thread.
    package var shortened: HistoryRecord {
        guard case .customer(_, _, let bytes, let account) = content, bytes.count + account.count > 16_384 else { return self }
        return HistoryRecord(HistoryDecoder().history(self))
    }

    /// The times that cannot be derived from the subscriptions; nil for a decoded history.
    package var times: CustomerTimes? {
        guard case .customer(let times, _, _, _) = content else { return nil }
        return times
    }

    package init(_ content: Content) { self.content = content }

    /// Takes a decoded history.
    public init(_ history: StoredHistory) { content = .history(history) }
}
