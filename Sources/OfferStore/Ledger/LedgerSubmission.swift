import EligibilityRules

/// What one request records, all or nothing. A class, so that passing it between threads copies nothing.
public final class LedgerSubmission: Sendable {
    /// The signatures; nil if nothing was signed.
    public let entry: LedgerEntry?
    /// The refusals; nil if nothing was refused.
    public let refusals: LedgerRefusals?
    /// The customer's exposures to variants of campaigns.
    public let exposures: [Exposure]
    /// What the signatures take of limits; empty if nothing was signed.
    public let reservations: [Reservation]
    /// Limits that must have room, although nothing is taken of them.
    public let probes: [Reservation]
    /// Further events for the audit log.
    public let auditEvents: [AuditEvent]
    /// The answer; nil without an `Idempotency-Key`.
    public let idempotency: IdempotencyRecord?

    /// Whether there is nothing to record. Such a submission only tests that a transaction can become durable.
    package var isEmpty: Bool {
        // By pattern: `==` copies what it compares.
        guard case .none = entry, case .none = refusals, case .none = idempotency else { return false }
        return exposures.isEmpty && auditEvents.isEmpty
    }

    /// Id of the caller's access key; nil if no recorded part has it.
    var caller: String? { entry?.request.caller ?? refusals?.request.caller ?? exposures.first?.source.caller }

    /// Returns the same submission with an answer to store.
    package func keeping(_ answer: IdempotencyRecord) -> LedgerSubmission {
        LedgerSubmission(
            entry, refusals: refusals, exposures: exposures, reservations: reservations, probes: probes,
            auditEvents: auditEvents, idempotency: answer)
    }

    /// Takes the values as they are. Reservations require an entry.
    public init(
        _ entry: LedgerEntry?,
        refusals: LedgerRefusals? = nil,
        exposures: [Exposure] = [],
        reservations: [Reservation] = [],
        probes: [Reservation] = [],
        auditEvents: [AuditEvent] = [],
        idempotency: IdempotencyRecord? = nil
    ) {
        precondition(reservations.isEmpty || entry != nil)
        self.entry = entry
        self.refusals = refusals
        self.exposures = exposures
        self.reservations = reservations
        self.probes = probes
        self.auditEvents = auditEvents
        self.idempotency = idempotency
    }
}
