/// What became of the wish to bind a subscription to a customer.
public enum BindingOutcome: Equatable, Sendable {
    case bound
    /// They were bound already.
    case unchanged
    /// It stays with the other customer; nothing was written.
    case boundToAnotherCustomer
}
