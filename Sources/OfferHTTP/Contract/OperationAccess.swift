import OfferService

/// The access that an operation requires.
///
/// Each operation declares it; there is no default.
enum OperationAccess: Sendable {
    /// Any client, because the operation reveals no secret, or because its requests carry a proof of their own.
    case open
    /// A caller with an access key whose role has this permission.
    case needs(Permission)
    /// Such a caller, or an end user with a token of the app's own sign-in. The operation lets no end user see or take what
    /// belongs to another customer.
    case needsOrEndUser(Permission)
    /// A user who is signed in to the console, with a role that has this permission.
    case session(Permission)

    /// The permission that a caller needs; nil if the operation is open to any client.
    var permission: Permission? {
        switch self {
        case .open: nil
        case .needs(let permission), .needsOrEndUser(let permission), .session(let permission): permission
        }
    }

    var isOpen: Bool { permission == nil }

    /// Whether operations with this access are urgent, so that they do not wait for lists and pages.
    ///
    /// Those about signing keys and access keys are, and all that need no permission, such as signing in and readiness.
    var isUrgent: Bool { permission?.isUrgent ?? true }
}
