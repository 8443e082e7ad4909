import OfferService

/// Who may call an operation. Declared with each; there is no default.
enum OperationAccess: Sendable {
    /// Anybody: it tells no secret, or its requests prove themselves.
    case open
    /// Who has an access key whose role may do this.
    case needs(Permission)

    var isOpen: Bool { if case .open = self { true } else { false } }
}
