/// What a process keeps of the audit log between its transactions, and while one runs. A value, so that a failure undoes it.
package struct AuditState {
    /// The chains that it writes.
    package var chains = AuditChains()
    /// What it has sealed.
    package var sealing: AuditSealing

    package init(_ identity: AuditIdentity) {
        sealing = AuditSealing(writer: identity.writer, origin: identity.origin, identity.functions)
    }
}
