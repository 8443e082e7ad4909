/// The result of a request to join two customers.
public enum JoiningOutcome: Equatable, Sendable {
    case joined
    /// They were joined already.
    case unchanged
    /// One of the names is already an alias of this other customer. Nothing was written.
    case aliasOfAnotherCustomer
}
