/// How much of a customer's purchases is known.
public enum Completeness: String, Sendable, CaseIterable {
    /// Nothing was ever supplied.
    case none
    /// Some purchases; there may be others.
    case partial
    /// A source has shown the whole Apple account: the Server API's history, or a receipt of the iOS 7 style.
    case complete
}
