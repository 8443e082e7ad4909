/// The result of a request to bind a subscription to a customer, or to release it.
public enum BindingOutcome: Equatable, Sendable {
    case bound
    /// The subscription was bound to the customer already, or it had no owner to release.
    case unchanged
    /// The subscription stays with the other customer; nothing was written.
    case boundToAnotherCustomer
    /// The subscription moved from another customer.
    case transferred(from: String)
    /// The subscription has no owner any more.
    case unbound
}
