/// What became of one change.
public enum HistoryOutcome: Equatable, Sendable {
    /// One element a chain of the change, in order.
    case merged([ChainOutcome])
    /// The notification was received before; nothing was written.
    case knownNotification
}

/// What became of one chain of a change.
public enum ChainOutcome: Equatable, Sendable {
    /// Something was new.
    case changed
    /// Another customer had it until now.
    case taken(from: String)
    /// All of it was known.
    case unchanged
    /// It is bound to another customer; nothing of it was written.
    case boundToAnotherCustomer

    /// Whether anything was written.
    public var isChange: Bool {
        switch self {
        case .changed, .taken: true
        case .unchanged, .boundToAnotherCustomer: false
        }
    }
}
