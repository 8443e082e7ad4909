/// What became of the wish to bind a subscription to a customer, or to nobody.
public enum BindingOutcome: Equatable, Sendable {
    case bound
    /// They were bound already; or nobody had it who was to let it go.
    case unchanged
    /// It stays with the other customer; nothing was written.
    case boundToAnotherCustomer
    /// Another customer had it until now.
    case transferred(from: String)
    /// It is nobody's from now on.
    case unbound
}
