package import EligibilityRules
package import OfferStore

/// The actor of an action, and where the request came from.
package struct Origin: Equatable, Sendable {
    /// Who acts: an access key's id, `command-line`, or `service`.
    package let actor: String
    /// The id of the request that asked for the action.
    package let requestID: String?
    /// The address that the request came from; nil if there was no request.
    package let address: String?

    package init(actor: String, requestID: String? = nil, address: String? = nil) {
        self.actor = actor
        self.requestID = requestID
        self.address = address
    }

    /// An operator at the command line, who has the machine's own rights.
    package static let commandLine = Origin(actor: "command-line")
    /// The service itself, acting without a request.
    package static let service = Origin(actor: "service")

    /// Makes the audit event of an action of this origin.
    package func event(
        _ action: AuditAction,
        at now: Instant,
        partition: AppPartition? = nil,
        object: AuditObject = .none,
        reason: String? = nil,
        customerID: String? = nil,
        transactionID: String? = nil
    ) -> AuditEvent {
        AuditEvent(
            at: now, actor: actor, action: action.rawValue, partition: partition, object: object, reason: reason,
            requestID: requestID,
            personal: AuditPersonalData(customerID: customerID, transactionID: transactionID, address: address))
    }
}
