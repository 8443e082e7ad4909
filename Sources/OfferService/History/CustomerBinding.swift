package import FoundationEssentials
import OfferStore

/// Says whose a subscription is, on record.
///
/// What was asked for is on record first: histories are another file, and nothing may change there of which the log knows nothing.
package struct CustomerBinding: Sendable {
    private let intake: HistoryIntake
    private let audit: AuditLog
    private let writeBack: TokenWriteBack

    /// Takes the use cases as they are.
    package init(intake: HistoryIntake, audit: AuditLog, writeBack: TokenWriteBack) {
        self.writeBack = writeBack
        self.intake = intake
        self.audit = audit
    }

    /// Binds a subscription, known or not yet.
    ///
    /// - Parameters:
    ///   - transfer: whether it may be taken from another customer, as far as the app lets that happen.
    ///   - token: what the App Store is to be told; nil: the customer's id, if that is a UUID.
    package func bind(
        _ originalTransactionID: String,
        to customerID: String,
        transfer: Bool,
        token: UUID?,
        _ app: App,
        by origin: Origin
    ) async throws -> (status: BindingStatus, written: TokenWriteBack.Outcome?) {
        try await audit.record(
            .bindCustomer, by: origin, partition: app.partition, after: transfer ? "transfer" : nil, customerID: customerID,
            transactionID: originalTransactionID)
        let outcome = try await intake.bind(
            originalTransactionID, to: CustomerClaim(customerID, transfer && app.transfer != .never ? .transferred : .vouched),
            app)
        if case .transferred(let owner) = outcome {
            try await audit.record(
                .unbindCustomer, by: origin, partition: app.partition, after: "transferred", customerID: owner,
                transactionID: originalTransactionID)
        }
        let status = try BindingStatus(outcome)
        return (status, await writeBack.write(token, of: customerID, to: originalTransactionID, app))
    }

    /// Takes a subscription from a customer; whoever brings it next may have it.
    package func unbind(
        _ originalTransactionID: String,
        from customerID: String,
        _ app: App,
        by origin: Origin
    ) async throws -> BindingStatus {
        try await audit.record(
            .unbindCustomer, by: origin, partition: app.partition, customerID: customerID, transactionID: originalTransactionID)
        return try BindingStatus(try await intake.unbind(originalTransactionID, from: customerID, app))
    }

    /// Makes a name that a customer had before, such as before signing in, an alias of theirs: with all that it has.
    package func merge(
        _ alias: String,
        into customerID: String,
        _ app: App,
        by origin: Origin
    ) async throws -> BindingStatus {
        // Both are personal: the alias stands where an erasure finds it.
        for (customer, role) in [(customerID, "into"), (alias, "from")] {
            try await audit.record(.mergeCustomer, by: origin, partition: app.partition, after: role, customerID: customer)
        }
        let outcome = try await intake.join(alias, into: customerID, app)
        guard outcome != .aliasOfAnotherCustomer else { throw HistoryError.aliasOfAnotherCustomer }
        // Who signs in does so wherever their purchases were made; what only testers have decides nothing.
        if let sandbox = app.sandbox { _ = try await intake.join(alias, into: customerID, sandbox) }
        return outcome == .joined ? .merged : .unchanged
    }
}
