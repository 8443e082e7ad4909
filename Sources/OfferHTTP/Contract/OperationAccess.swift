import OfferService

/// The access that an operation requires.
///
/// Each operation must declare its access. There is no default, so none can be forgotten.
enum OperationAccess: Sendable {
    /// Any client may call the operation, because it reveals no secret, or because its requests carry a proof of their own.
    case open
    /// The caller needs an access key whose role has this permission.
    case needs(Permission)
    /// The caller needs such an access key, or is an end user with a token of the app's own sign-in. The operation must not let
    /// an end user see or take what belongs to another customer.
    case needsOrEndUser(Permission)
    /// The caller must be signed in to the console, with a role that has this permission.
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
    /// Operations on signing keys and access keys are urgent. So are all that need no permission, such as signing in and
    /// readiness.
    var isUrgent: Bool { permission?.isUrgent ?? true }
}
