/// The purpose of an access key.
package enum Role: String, CaseIterable, Sendable {
    case client, backend, marketing, approver, security, viewer, admin

    /// Whether the role has a permission.
    package func may(_ permission: Permission) -> Bool {
        switch permission {
        case .sign: self == .client || self == .backend || self == .admin
        case .history, .customers, .override: self == .backend || self == .admin
        case .verify: self == .client || self == .backend || self == .security || self == .admin
        case .keys, .access, .eventRuns: self == .security || self == .admin
        case .audit, .replicas: self == .security || self == .viewer || self == .admin
        case .campaigns: self == .marketing || self == .approver || self == .viewer || self == .admin
        case .campaignDrafts: self == .marketing || self == .admin
        case .campaignRuns: self == .marketing || self == .approver || self == .admin
        case .campaignApprovals: self == .approver || self == .admin
        case .catalogue, .console, .events: self != .client && self != .backend
        }
    }

    /// How the types of the events begin that the role may see; nil for all events.
    var eventPrefix: String? { self == .marketing || self == .approver ? "campaign." : nil }

    /// Whether another role stands above this one: only an admin stands above the others.
    package func isBelow(_ other: Role) -> Bool { self != .admin && other == .admin }
}
