package import FoundationEssentials
import OfferStore

/// Binds subscriptions to customers, and records it in the audit log.
///
/// The audit log comes first. It and the histories are in different files, and a crash between the two writes must not leave a
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

    /// Binds a subscription to a customer, even if no purchase of the subscription is known yet.
    ///
    /// - Parameters:
    ///   - transfer: whether the subscription may be taken from another customer, as far as the app permits that.
    ///   - token: the `appAccountToken` to write to the App Store; nil to write the customer's id if it is a UUID.
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
    /// After that it can be bound to the next customer who presents it.
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

    /// Makes an earlier id of a customer an alias of the present one, and moves all its purchases there.
    ///
    /// For example, the earlier id may be the one that the app used before the customer signed in.
    package func merge(
        _ alias: String,
        into customerID: String,
        _ app: App,
        by origin: Origin
    ) async throws -> BindingStatus {
        // Both ids are personal data. Each gets an event of its own, so that an erasure finds it by `customerID`.
        for (customer, role) in [(customerID, "into"), (alias, "from")] {
            try await audit.record(
                .mergeCustomer, by: origin, partition: app.partition, object: AuditObject(after: role), customerID: customer)
        }
        let outcome = try await intake.join(alias, into: customerID, app)
        guard outcome != .aliasOfAnotherCustomer else { throw HistoryError.aliasOfAnotherCustomer }
        // The two ids mean the same customer in every environment, so they are merged in the Sandbox as well. The outcome there
        // is ignored, because Sandbox purchases are those of testers.
        if let sandbox = app.sandbox { _ = try await intake.join(alias, into: customerID, sandbox) }
        return outcome == .joined ? .merged : .unchanged
    }
}

/// The outcome of a binding, in one word.
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
