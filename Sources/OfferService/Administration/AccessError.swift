package import EligibilityRules

/// Why an access key is not made or revoked.
package enum AccessError: Error, Equatable {
    /// No key has this id, or the caller may not see it.
    case unknownKey(String)
    /// The role stands above the caller's own.
    case roleAbove(Role, own: Role)
    /// The caller's own key is limited to named apps, and so must be the keys that it makes.
    case appsNotNamed
    /// The note is too long.
    case invalidNote(FieldFault)
    /// The key would have expired before it was made.
    case ended(Instant)
}

extension AccessError: CustomStringConvertible {
    /// September 2001, 10¹² ms after 1970. An earlier instant was probably given in seconds.
    private static let firstInstant = Instant(milliseconds: 1_000_000_000_000)

    /// A sentence with a remedy.
    package var description: String {
        switch self {
        case .unknownKey(let id): "there is no access key \(id) that you may see; GET /v1/admin/access lists them"
        case .roleAbove(let role, let own): "the role \(own.rawValue) may not make or revoke a key of the role \(role.rawValue)"
        case .ended(let instant):
            "\(instant.iso8601) has passed\(instant < Self.firstInstant ? "; give milliseconds since 1970, not seconds" : "")"
        case .invalidNote(let fault): "the \(fault.name) \(fault.reason)"
        case .appsNotNamed: "your own access key is for some apps only; name bundleIds among those"
        }
    }
}
