import OfferService

/// The access that an operation requires. Each operation declares it; there is no default.
enum OperationAccess: Sendable {
    /// Any client: the operation reveals no secret, or its requests prove themselves.
    case open
    /// A caller with an access key whose role has this permission.
    case needs(Permission)
    /// The same, or a customer with a token of the app's own sign-in. No customer can see or take what is another's.
    case needsOrEndUser(Permission)
    /// A user who is signed in to the console, with a role that has this permission.
    case session(Permission)

    /// The permission that a caller needs; nil: none.
    var permission: Permission? {
        switch self {
        case .open: nil
        case .needs(let permission), .needsOrEndUser(let permission), .session(let permission): permission
        }
    }

    var isOpen: Bool { permission == nil }

    /// Whether operations with this access wait for no other: those on keys and access keys, signing in, readiness.
    var isUrgent: Bool { permission?.isUrgent ?? true }
}
