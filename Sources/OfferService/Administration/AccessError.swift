package import EligibilityRules

/// Why an access key is not made or revoked.
package enum AccessError: Error, Equatable {
    /// There is none of this id, or none that the caller may see.
    case unknownKey(String)
    /// The role stands above the caller's own.
    case roleAbove(Role, own: Role)
    /// The caller's own key is for named apps, and so must be those that it makes.
    case appsNotNamed
    /// The key would have ended before it was made.
    case ended(Instant)
}

extension AccessError: CustomStringConvertible {
    /// 2001. In seconds, it is thousands of years away.
    private static let firstInstant = Instant(milliseconds: 1_000_000_000_000)

    /// A sentence with a remedy.
    package var description: String {
        switch self {
        case .unknownKey(let id): "there is no access key \(id) that you may see; GET /v1/admin/access lists them"
        case .roleAbove(let role, let own): "the role \(own.rawValue) may not make or revoke a key of the role \(role.rawValue)"
        case .ended(let instant):
            "\(instant.iso8601) has passed\(instant < Self.firstInstant ? "; give milliseconds since 1970, not seconds" : "")"
        case .appsNotNamed: "your own access key is for some apps only; name bundleIds among those"
        }
    }
}
