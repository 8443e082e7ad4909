public import EligibilityRules

/// Which rows of the audit log are looked for.
public struct AuditFilter: Equatable, Sendable {
    /// Rows of these tables.
    public var tables: Set<AuditTable>
    /// About this app, in any environment, or about none; nil: all.
    public var bundleID: String?
    /// By this actor.
    public var actor: String?
    /// Whose action begins with this, such as `key.`; signatures are `signature.made`, refusals `signature.refused`.
    public var action: String?
    /// With this text in subject, before, after, reason, request id, customer or transaction.
    public var text: String?
    /// Not before.
    public var from: Instant?
    /// Before.
    public var until: Instant?

    /// Takes the values as they are; by default every event, no signature and no refusal.
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

    /// Whether it may leave out most rows of a table.
    public var isSelective: Bool { [bundleID, actor, action, text].contains { $0 != nil } }

    /// Whether a row is one of them; which table it is of is for the store to see to.
    package func takes(_ event: AuditEvent) -> Bool {
        if let bundleID, let partition = event.partition, partition.bundleID != bundleID { return false }
        if let actor, event.actor != actor { return false }
        if let action, !event.action.hasPrefix(action) { return false }
        if let from, event.at < from { return false }
        if let until, event.at >= until { return false }
        guard let text else { return true }
        let fields = [
            event.subject, event.before, event.after, event.reason, event.requestID, event.customerID, event.transactionID,
        ]
        return fields.contains { $0?.contains(text) == true }
    }
}
