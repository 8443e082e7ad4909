/// What became of the wish to make two customers one.
public enum JoiningOutcome: Equatable, Sendable {
    case joined
    /// They were one already.
    case unchanged
    /// One of the names is an alias of this other customer already; nothing was written.
    case aliasOfAnotherCustomer
}
