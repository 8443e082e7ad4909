/// The result of a change.
public enum HistoryOutcome: Equatable, Sendable {
    /// One outcome for each chain of the change, in order.
    case merged([ChainOutcome])
    /// The notification was received before; nothing was written.
    case knownNotification
}

/// The result for one chain of a change.
public enum ChainOutcome: Equatable, Sendable {
    /// The change added something new.
    case changed
    /// The chain moved from another customer.
    case taken(from: String)
    /// Everything in the change was known.
    case unchanged
    /// The chain is bound to another customer. Nothing of it was written.
    case boundToAnotherCustomer

    /// Whether anything was written.
    public var isChange: Bool {
        switch self {
        case .changed, .taken: true
        case .unchanged, .boundToAnotherCustomer: false
        }
    }
}
