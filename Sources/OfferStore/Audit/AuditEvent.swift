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
    /// What the act was done to, and its state before and after.
    public let object: AuditObject
    /// The reason, in the actor's words.
    public let reason: String?
    /// Id of the request.
    public let requestID: String?
    /// The customer, the transaction and the address that the act concerns; they can be erased.
    public var personal: AuditPersonalData

    /// Stores the given values without checking them.
    public init(
        at: Instant,
        actor: String,
        action: String,
        partition: AppPartition? = nil,
        object: AuditObject = .none,
        reason: String? = nil,
        requestID: String? = nil,
        personal: AuditPersonalData = .none
    ) {
        self.at = at
        self.actor = actor
        self.action = action
        self.partition = partition
        self.object = object
        self.reason = reason
        self.requestID = requestID
        self.personal = personal
    }

    /// Whether the act is an access key's revocation of itself.
    ///
    /// No other act has an actor that is already revoked when the event is recorded.
    package var isOfOwnEnd: Bool { action == "access.revoke" && object.id == actor }

    /// Returns the same event with its object's state before the change, as the store found it, and its state after the change.
    func telling(before: String?, after: String?) -> AuditEvent {
        AuditEvent(
            at: at, actor: actor, action: action, partition: partition,
            object: AuditObject(object.id, before: before, after: after), reason: reason, requestID: requestID, personal: personal
        )
    }
}

extension AuditRowEncoder {
    /// Encodes an event. The order of the columns never changes, because the links of stored rows depend on it.
    package func encode(_ event: AuditEvent, id: Int64, _ keyed: AuditFunctions.Digest) {
        _ = encode(event, id: id, erased: nil, keyed)
    }

    /// Encodes a stored event.
    ///
    /// Returns false if the row still contains personal data although a digest has replaced it.
    ///
    /// - Parameter digest: the digest that replaces erased personal data; nil if nothing was erased.
    func encode(_ event: AuditEvent, id: Int64, erased digest: [UInt8]?, _ keyed: AuditFunctions.Digest) -> Bool {
        begin(.events, id: id)
        append(event.at.milliseconds)
        append(event.actor)
        append(event.action)
        append(event.partition?.name)
        append(event.object.id)
        append(event.object.before)
        append(event.object.after)
        append(event.reason)
        append(event.requestID)
        appendPersonal(event.personal.customerID)
        appendPersonal(event.personal.transactionID)
        appendPersonal(event.personal.address)
        guard let digest else {
            finish(keyed)
            return true
        }
        return digest.withUnsafeBytes { finish(erased: $0) }
    }
}

/// The personal data of an audit event, which can be erased.
public struct AuditPersonalData: Equatable, Sendable {
    /// The customer concerned.
    public let customerID: String?
    /// The App Store transaction concerned.
    public let transactionID: String?
    /// The address that sent the request.
    public let address: String?

    /// Stores the given values without checking them.
    public init(customerID: String? = nil, transactionID: String? = nil, address: String? = nil) {
        self.customerID = customerID
        self.transactionID = transactionID
        self.address = address
    }

    /// No personal data, as in an event that concerns no customer, or whose customer was erased.
    public static let none = AuditPersonalData()
}
