public import EligibilityRules

/// A filter of audit log rows.
public struct AuditFilter: Equatable, Sendable {
    /// Selects rows of these tables.
    public var tables: Set<AuditTable>
    /// Selects rows about this app, in any environment, and rows about no app; nil selects all.
    public var bundleID: String?
    /// Selects rows by this actor.
    public var actor: String?
    /// Selects actions with this prefix, such as `key.`. Signatures are `signature.made`, refusals `signature.refused`.
    public var action: String?
    /// Selects rows that contain this text in subject, before, after, reason, request id, customer or transaction.
    public var text: String?
    /// The earliest time, inclusive.
    public var from: Instant?
    /// The end of the time range, exclusive.
    public var until: Instant?

    /// By default the filter selects all events, and neither signatures nor refusals.
    public init(
        tables: Set<AuditTable> = [.events],
        bundleID: String? = nil,
        actor: String? = nil,
        action: String? = nil,
        text: String? = nil,
        from: Instant? = nil,
        until: Instant? = nil
    ) {
        self.tables = tables
        self.bundleID = bundleID
        self.actor = actor
        self.action = action
        self.text = text
        self.from = from
        self.until = until
    }

    /// Whether the filter accepts a row. Does not check the table, which is the store's task.
    package func takes(_ event: AuditEvent) -> Bool {
        if let bundleID, let partition = event.partition, partition.bundleID != bundleID { return false }
        if let actor, event.actor != actor { return false }
        if let action, !event.action.hasPrefix(action) { return false }
        if let from, event.at < from { return false }
        if let until, event.at >= until { return false }
        guard let text else { return true }
        let fields = [
            event.object.id, event.object.before, event.object.after, event.reason, event.requestID, event.personal.customerID,
            event.personal.transactionID,
        ]
        return fields.contains { $0?.contains(text) == true }
    }
}
