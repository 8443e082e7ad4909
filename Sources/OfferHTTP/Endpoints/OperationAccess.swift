import OfferService

/// Who may call an operation. Declared with each; there is no default.
enum OperationAccess: Sendable {
    /// Anybody: it tells no secret, or its requests prove themselves.
    case open
    /// Who has an access key whose role may do this.
    case needs(Permission)
    /// The same, and a customer with a token of the app's own sign-in: an operation that lets nobody see or take what is another's.
    case needsOrEndUser(Permission)
    /// Who is signed in to the console, with a role that may do this.
    case session(Permission)

    var isOpen: Bool { if case .open = self { true } else { false } }
}
