/// Why an access key is not made or revoked.
package enum AccessError: Error, Equatable {
    /// There is none of this id, or none that the caller may see.
    case unknownKey(String)
    /// The role stands above the caller's own.
    case roleAbove(Role, own: Role)
    /// The caller's own key is for named apps, and so must be those that it makes.
    case appsNotNamed
}

extension AccessError: CustomStringConvertible {
    /// A sentence with a remedy.
    package var description: String {
        switch self {
        case .unknownKey(let id): "there is no access key \(id) that you may see; GET /v1/admin/access lists them"
        case .roleAbove(let role, let own): "the role \(own.rawValue) may not make or revoke a key of the role \(role.rawValue)"
        case .appsNotNamed: "your own access key is for some apps only; name bundleIds among those"
        }
    }
}
