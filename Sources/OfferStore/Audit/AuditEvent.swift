public import EligibilityRules

/// An act recorded in the audit log, other than a signature or a refusal.
public struct AuditEvent: Equatable, Sendable {
    /// When the act took place.
    public let at: Instant
    /// The actor: an access key's id, `command-line`, or `service`.
    public let actor: String
    /// The act as `thing.deed`, such as `key.activate`. The meaning of an action never changes.
    public let action: String
    /// The app concerned; nil for none or all.
    public let partition: AppPartition?
    /// The object of the act, such as a key's id. No personal data.
    public let subject: String?
    /// The object's state before. No secrets, no personal data.
    public let before: String?
    /// The object's state after. No secrets, no personal data.
    public let after: String?
    /// The reason, in the actor's words.
    public let reason: String?
    /// Id of the request.
    public let requestID: String?
    /// The customer concerned. Personal: can be erased.
    public let customerID: String?
    /// The App Store transaction concerned. Personal: can be erased.
    public let transactionID: String?
    /// The address that sent the request. Personal: can be erased.
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
    /// Encodes an event. The order of the columns never changes.
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
