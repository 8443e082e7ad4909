package import EligibilityRules
package import OfferStore

/// A customer on whom campaigns are tried, with everything that is known about the customer.
package struct TriedCustomer: Sendable {
    /// In which way the purchases of the customer were found.
    package enum Trace: Equatable, Sendable {
        /// By the app's own id of the customer, to which purchases are bound.
        case customerID
        /// By a transaction or an account token of the customer.
        ///
        /// Campaigns know the app's own id only if the purchases are bound to it.
        case purchase
        /// No purchases were found, so the campaigns are tried as on a customer without any.
        case nothing
    }

    /// The conditions under which the customer is looked at.
    package struct View {
        let now: Instant
        /// The plan with which the customer would buy.
        let billingPlan: BillingPlan

        package init(now: Instant, billingPlan: BillingPlan) {
            self.now = now
            self.billingPlan = billingPlan
        }
    }

    /// The id as it was given.
    package let name: String
    package let trace: Trace
    package let facts: CustomerFacts
    package let identity: BucketingIdentity
    /// The verdicts of the eligibility rules on each product.
    package let assessment: Assessment

    /// The app's own id of the customer that the purchases are bound to; nil if they are not bound.
    package let customerID: String?
    /// The verdict on promotional offers of any product. An app that enforces asks its campaigns only if it is `eligible`.
    package let promotionalOffers: Verdict
    private let customer: Customer

    /// Throws if the history is damaged, or if the store cannot be read.
    ///
    /// - Parameter name: the app's own id, a transaction id or an account token.
    package init(_ name: String, of app: App, in histories: any HistoryStore, _ view: View) async throws {
        _ = app.groups.note(try await histories.seenGroups(partition: app.partition))
        let own = try await histories.wholeHistory(of: HistoryQuery(partition: app.partition, customerID: name))
        var stored = try await (own.isSupplied ? own : Self.purchases(of: name, app, histories)).reliable()
        // If a purchase is bound to a customer, all purchases of that customer count.
        if !own.isSupplied, let id = stored.customerID {
            stored = try await histories.wholeHistory(of: HistoryQuery(partition: app.partition, customerID: id)).reliable()
        }
        // If purchases are known, an id counts as proven only if a purchase is bound to it. A customer without purchases is tried
        // as if the app's backend or a token had named the customer.
        self.init(
            name, stored, of: app, provenID: stored.isSupplied ? stored.customerID : name,
            provenAccount: stored.isSupplied ? nil : name,
            trace: !stored.isSupplied ? .nothing : own.isSupplied ? .customerID : .purchase, view)
    }

    /// A customer by ids whose kinds are given. They are combined as in a request for offers. Throws like the other initialiser.
    package init(
        _ reference: CustomerReference, of app: App, in histories: any HistoryStore, _ view: View
    ) async throws {
        _ = app.groups.note(try await histories.seenGroups(partition: app.partition))
        var stored = StoredHistory.unknown
        if let query = reference.query(in: app.partition) { stored = try await histories.wholeHistory(of: query).reliable() }
        self.init(
            reference.names.first ?? "", stored, of: app,
            provenID: stored.isSupplied ? stored.customerID : reference.customerID,
            provenAccount: stored.isSupplied ? nil : reference.appTransactionID ?? reference.customerID,
            trace: !stored.isSupplied ? .nothing : reference.customerID == nil ? .purchase : .customerID, view)
    }

    /// The promotional offers that the customer cannot get, because they are on another billing plan.
    ///
    /// - Parameter plan: the plan with which the customer would buy; nil for that of the subscription.
    package func withheldOffers(on plan: BillingPlan?, of app: App) -> Set<CampaignVariant.Offer> {
        app.promotionalOffers(notOn: plan, for: customer)
    }

    /// What a campaign's decision about an introductory offer comes to for the customer; nil if it comes to nothing.
    package func outcome(_ given: CampaignIntroductoryOffer) -> CampaignIntroductoryOffer.Outcome? {
        assessment.products.first { ExactText($0.product.id) == ExactText(given.offer.productID) }
            .flatMap { given.outcome(on: $0.product, for: customer, $0.introductoryOffer) }
    }

    private init(
        _ name: String,
        _ stored: StoredHistory,
        of app: App,
        provenID: String?,
        provenAccount: String?,
        trace: Trace,
        _ view: View
    ) {
        let customer = Customer(stored, of: app, now: view.now)
        self.name = name
        self.trace = trace
        facts = CustomerFacts(of: customer, historyUpdatedAt: stored.updatedAt)
        let proven = BucketingIdentity(customerID: provenID, facts: facts)
        identity = BucketingIdentity(
            customerID: proven.customerID, appTransactionID: proven.appTransactionID ?? provenAccount,
            originalTransactionID: proven.originalTransactionID)
        assessment = Assessment(
            of: customer, on: app.catalogue.sorted.map { $0.on(view.billingPlan) }, historyUpdatedAt: stored.updatedAt)
        customerID = stored.customerID
        promotionalOffers = PromotionalOfferRule.verdict(for: customer)
        self.customer = customer
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
