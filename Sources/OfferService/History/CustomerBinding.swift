/// Says whose a subscription is, on record.
package struct CustomerBinding: Sendable {
    private let intake: HistoryIntake
    private let audit: AuditLog

    /// Takes the use cases as they are.
    package init(intake: HistoryIntake, audit: AuditLog) {
        self.intake = intake
        self.audit = audit
    }

    /// Binds a subscription, known or not yet. Returns whether that is new; takes it from nobody.
    ///
    /// That it was asked for is on record first: histories are another file, and nothing may change there of which the log knows nothing.
    package func bind(
        _ originalTransactionID: String,
        to customerID: String,
        _ app: App,
        by origin: Origin
    ) async throws -> Bool {
        try await audit.record(
            .bindCustomer, by: origin, bundleID: app.bundleID, customerID: customerID, transactionID: originalTransactionID)
        return try await intake.bind(originalTransactionID, to: customerID, app)
    }
}
