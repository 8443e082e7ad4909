import OfferService

extension KeyChange {
    /// Whether the change waits for a second person.
    var isPending: Bool { if case .pending = self { true } else { false } }
}
