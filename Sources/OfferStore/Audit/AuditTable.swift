/// What the audit log is made of. Each table has chains of its own.
public enum AuditTable: String, CaseIterable, Sendable {
    /// Requests that were signed for.
    case signatures = "signed_request"
    /// Requests whose offers were refused, all or some.
    case refusals = "refused_request"
    /// Everything else that somebody did.
    case events = "audit_event"

    /// What stands for it in what is hashed.
    package var code: UInt8 {
        switch self {
        case .signatures: 1
        case .refusals: 2
        case .events: 3
        }
    }
}
