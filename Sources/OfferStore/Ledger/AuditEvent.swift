/// What somebody did, for the audit log. There are none before there is an audit log.
public enum AuditEvent: Sendable {}
