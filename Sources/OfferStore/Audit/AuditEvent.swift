public import EligibilityRules

/// What somebody did, for the audit log: whatever is no signature and no refusal.
public struct AuditEvent: Equatable, Sendable {
    /// When.
    public let at: Instant
    /// Who: an access key's id, `command-line`, or `service`.
    public let actor: String
    /// What, as `thing.deed`, such as `key.activate`. An action never gets another meaning.
    public let action: String
    /// The app that it is about; nil for none or all.
    public let partition: AppPartition?
    /// What it was done to, such as a key's id. Nothing personal.
    public let subject: String?
    /// How that was before. No secrets, nothing personal.
    public let before: String?
    /// How it is since. No secrets, nothing personal.
    public let after: String?
    /// Why, in the actor's words.
    public let reason: String?
    /// Id of the request that asked.
    public let requestID: String?
    /// The customer that it was done to. Personal: can be erased.
    public let customerID: String?
    /// The App Store transaction that it was done to. Personal: can be erased.
    public let transactionID: String?
    /// Where the request came from. Personal: can be erased.
    public let address: String?

    /// Takes the values as they are.
    public init(
        at: Instant,
        actor: String,
        action: String,
        partition: AppPartition? = nil,
        subject: String? = nil,
        before: String? = nil,
        after: String? = nil,
        reason: String? = nil,
        requestID: String? = nil,
        customerID: String? = nil,
        transactionID: String? = nil,
        address: String? = nil
    ) {
        self.at = at
        self.actor = actor
        self.action = action
        self.partition = partition
        self.subject = subject
        self.before = before
        self.after = after
        self.reason = reason
        self.requestID = requestID
        self.customerID = customerID
        self.transactionID = transactionID
        self.address = address
    }
}

extension AuditRowEncoder {
    /// Writes an event. The order is that of the columns, for ever.
    package func encode(_ event: AuditEvent, id: Int64, _ keyed: AuditFunctions.Digest) {
        begin(.events, id: id)
        append(event.at.milliseconds)
        append(event.actor)
        append(event.action)
        append(event.partition?.name)
        append(event.subject)
        append(event.before)
        append(event.after)
        append(event.reason)
        append(event.requestID)
        appendPersonal(event.customerID)
        appendPersonal(event.transactionID)
        appendPersonal(event.address)
        finish(keyed)
    }
}
