package import FoundationEssentials
import OfferStore

/// Binds subscriptions to customers, and records that in the audit log.
///
/// The request is recorded before the change. Histories are in another file, and a crash between the two writes must not leave a
/// change that the log does not have.
package struct CustomerBinding: Sendable {
    private let intake: HistoryIntake
    private let audit: AuditLog
    private let writeBack: TokenWriteBack

    package init(intake: HistoryIntake, audit: AuditLog, writeBack: TokenWriteBack) {
        self.writeBack = writeBack
        self.intake = intake
        self.audit = audit
    }

    /// Binds a subscription, known or not yet.
    ///
    /// - Parameters:
    ///   - transfer: whether it may be taken from another customer, as far as the app permits.
    ///   - token: the `appAccountToken` to be written to the App Store; nil for the customer's id, if that is a UUID.
    package func bind(
        _ originalTransactionID: String,
        to customerID: String,
        transfer: Bool,
        token: UUID?,
        _ app: App,
        by origin: Origin
    ) async throws -> (status: BindingStatus, written: TokenWriteBack.Outcome?) {
        try await audit.record(
            .bindCustomer, by: origin, partition: app.partition, object: AuditObject(after: transfer ? "transfer" : nil),
            customerID: customerID, transactionID: originalTransactionID)
        let outcome = try await intake.bind(
            originalTransactionID,
            to: CustomerClaim(customerID, transfer && app.rules.transfer != .never ? .transferred : .vouched),
            app)
        if case .transferred(let owner) = outcome {
            try await audit.record(
                .unbindCustomer, by: origin, partition: app.partition, object: AuditObject(after: "transferred"),
                customerID: owner, transactionID: originalTransactionID)
        }
        let status = try BindingStatus(outcome)
        return (status, await writeBack.write(token, of: customerID, to: originalTransactionID, app))
    }

    /// Unbinds a subscription from a customer.
    ///
    /// It can then be bound to the next customer that presents it.
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

    /// Makes an earlier name of a customer, such as one from before signing in, an alias, and takes over all its purchases.
    package func merge(
        _ alias: String,
        into customerID: String,
        _ app: App,
        by origin: Origin
    ) async throws -> BindingStatus {
        // Both names are personal data, so each has an event whose `customerID` an erasure finds.
        for (customer, role) in [(customerID, "into"), (alias, "from")] {
            try await audit.record(
                .mergeCustomer, by: origin, partition: app.partition, object: AuditObject(after: role), customerID: customer)
        }
        let outcome = try await intake.join(alias, into: customerID, app)
        guard outcome != .aliasOfAnotherCustomer else { throw HistoryError.aliasOfAnotherCustomer }
        // The two names mean the same customer in every environment, so they are merged in the Sandbox as well. Its purchases are
        // those of testers, so the outcome there does not count.
        if let sandbox = app.sandbox { _ = try await intake.join(alias, into: customerID, sandbox) }
        return outcome == .joined ? .merged : .unchanged
    }
}

/// The outcome of a binding, in a word.
package enum BindingStatus: String, Sendable {
    case bound, unchanged, transferred, unbound, merged

    /// Throws if the subscription stays with another customer.
    init(_ outcome: BindingOutcome) throws(HistoryError) {
        switch outcome {
        case .bound: self = .bound
        case .unchanged: self = .unchanged
        case .transferred: self = .transferred
        case .unbound: self = .unbound
        case .boundToAnotherCustomer: throw .boundToAnotherCustomer
        }
    }
}
