package import EligibilityRules
package import OfferStore

/// A customer on whom campaigns are tried: what is known, whatever led to it.
package struct TriedCustomer: Sendable {
    /// What led to the purchases.
    package enum Trace: Equatable, Sendable {
        /// The app's own id of the customer.
        case customerID
        /// A transaction of theirs, or their account token: campaigns that put the app's own id into buckets do not know it.
        case purchase
        /// Nothing: tried as a customer without purchases.
        case nothing
    }

    /// As somebody gave it.
    package let name: String
    package let trace: Trace
    package let facts: CustomerFacts
    package let identity: BucketingIdentity
    /// What the rules of eligibility say of each product.
    package let assessment: Assessment

    /// The app's own id that the purchases are bound to; nil: they are nobody's.
    package let customerID: String?
    /// What promotional offers of any product come to, and so whether campaigns are asked at all.
    package let promotionalOffers: Verdict

    /// Throws where the history is damaged, or the store does not answer.
    ///
    /// - Parameter name: the app's own id, a transaction id or an account token.
    package init(_ name: String, of app: App, in histories: any HistoryStore, now: Instant) async throws {
        _ = app.groups.note(try await histories.seenGroups(partition: app.partition))
        let own = try await histories.wholeHistory(of: HistoryQuery(partition: app.partition, customerID: name))
        var stored = try await (own.isSupplied ? own : Self.purchases(of: name, app, histories)).reliable()
        // A purchase that is bound leads to all of the customer's.
        if !own.isSupplied, let id = stored.customerID {
            stored = try await histories.wholeHistory(of: HistoryQuery(partition: app.partition, customerID: id)).reliable()
        }
        // Nothing proves an id to which no purchase is bound.
        self.init(
            name, stored, of: app, provenID: stored.customerID,
            trace: !stored.isSupplied ? .nothing : own.isSupplied ? .customerID : .purchase, now: now)
    }

    /// By ids of which somebody says what they are, put together as when offers are asked for. Throws as the other one.
    package init(
        _ reference: CustomerReference, of app: App, in histories: any HistoryStore, now: Instant
    ) async throws {
        _ = app.groups.note(try await histories.seenGroups(partition: app.partition))
        var stored = StoredHistory.unknown
        if let query = reference.query(in: app.partition) { stored = try await histories.wholeHistory(of: query).reliable() }
        self.init(
            reference.names.first ?? "", stored, of: app, provenID: stored.customerID,
            trace: !stored.isSupplied ? .nothing : reference.customerID == nil ? .purchase : .customerID, now: now)
    }

    private init(_ name: String, _ stored: StoredHistory, of app: App, provenID: String?, trace: Trace, now: Instant) {
        let customer = Customer(stored, of: app, now: now)
        self.name = name
        self.trace = trace
        facts = CustomerFacts(of: customer, historyUpdatedAt: stored.updatedAt)
        identity = BucketingIdentity(customerID: provenID, facts: facts)
        assessment = Assessment(of: customer, on: app.catalogue.sorted, historyUpdatedAt: stored.updatedAt)
        customerID = stored.customerID
        promotionalOffers = PromotionalOfferRule.verdict(for: customer)
    }

    private static func purchases(of name: String, _ app: App, _ histories: any HistoryStore) async throws -> StoredHistory {
        for query in [
            HistoryQuery(partition: app.partition, transactionID: name),
            HistoryQuery(partition: app.partition, appAccountToken: name.lowercased()),
        ] {
            let stored = try await histories.wholeHistory(of: query)
            if stored.isSupplied { return stored }
        }
        return .unknown
    }
}
