/// The audit log's state in a process, kept between transactions. A value type, so that a failed transaction leaves it unchanged.
package struct AuditState {
    /// The chains that the process writes.
    package var chains = AuditChains()
    /// What the process has sealed.
    package var sealing: AuditSealing

    package init(_ identity: AuditIdentity) {
        sealing = AuditSealing(writer: identity.writer, origin: identity.origin, identity.functions)
    }
}
