/// What one request leaves behind: all of it is recorded, or nothing. A class: it is passed from thread to thread and never copied.
public final class LedgerSubmission: Sendable {
    /// Nil where nothing was signed.
    public let entry: LedgerEntry?
    /// Nil where nothing was refused.
    public let refusals: LedgerRefusals?
    /// Who was shown which variant of which campaign.
    public let exposures: [Exposure]
    /// What its signatures take of limits; none where nothing was signed.
    public let reservations: [Reservation]
    /// What must have room although nothing is taken of it.
    public let probes: [Reservation]
    /// What the audit log gets besides.
    public let auditEvents: [AuditEvent]
    /// Nil without an `Idempotency-Key`.
    public let idempotency: IdempotencyRecord?

    /// Whether there is nothing to record: such a submission only shows that a transaction can be made durable.
    package var isEmpty: Bool {
        entry == nil && refusals == nil && exposures.isEmpty && auditEvents.isEmpty && idempotency == nil
    }

    /// Id of the access key that asked; nil where nothing is recorded of it.
    var caller: String? { entry?.caller ?? refusals?.caller ?? exposures.first?.caller }

    /// The same with an answer to be kept.
    package func keeping(_ answer: IdempotencyRecord) -> LedgerSubmission {
        LedgerSubmission(
            entry, refusals: refusals, exposures: exposures, reservations: reservations, probes: probes,
            auditEvents: auditEvents, idempotency: answer)
    }

    /// Takes the values as they are. Reserving without a signature is a programmer's fault.
    public init(
        _ entry: LedgerEntry?,
        refusals: LedgerRefusals? = nil,
        exposures: [Exposure] = [],
        reservations: [Reservation] = [],
        probes: [Reservation] = [],
        auditEvents: [AuditEvent] = [],
        idempotency: IdempotencyRecord? = nil
    ) {
        precondition(entry != nil || reservations.isEmpty)
        self.entry = entry
        self.refusals = refusals
        self.exposures = exposures
        self.reservations = reservations
        self.probes = probes
        self.auditEvents = auditEvents
        self.idempotency = idempotency
    }
}
