/// What an access key is for.
package enum Role: String, CaseIterable, Sendable {
    case client, backend, marketing, approver, security, viewer, admin

    /// Whether the role may do something.
    package func may(_ permission: Permission) -> Bool {
        switch permission {
        case .sign: self == .client || self == .backend || self == .admin
        case .history, .override: self == .backend || self == .admin
        case .verify: self == .client || self == .backend || self == .security || self == .admin
        }
    }
}

/// Something that a request wants to do.
package enum Permission: Sendable {
    /// Get nonces and signatures.
    case sign
    /// Hand in and pull purchase history, say whose a subscription is.
    case history
    /// Have a signature examined.
    case verify
    /// Have an introductory offer granted that the App Store would refuse.
    case override
}
