import EligibilityRules
import OfferService
import OfferStore

/// The customer on whom campaigns are tried.
struct CampaignCustomer {
    let name: String
    let facts: CustomerFacts
    let identity: BucketingIdentity
    /// What the rules of eligibility say of each product.
    let assessment: Assessment
    /// What whoever asks should know.
    let notes: [String]

    /// - Parameter name: the app's own id, a transaction id or an account token.
    init(_ name: String, _ tools: HistoryTools, now: Instant) async throws {
        let histories = try tools.configuration.openPurchaseStore(onWait: StandardError.note).histories
        _ = tools.app.groups.note(try await histories.seenGroups(bundleID: tools.app.partition))
        let own = try await histories.wholeHistory(of: HistoryQuery(bundleID: tools.app.partition, customerID: name))
        let stored = try await (own.isSupplied ? own : tools.history(of: name, in: histories)).reliable()
        let customer = Customer(stored, of: tools.app, now: now)
        self.name = name
        facts = CustomerFacts(of: customer, historyUpdatedAt: stored.updatedAt)
        // Nothing proves an id to which no purchase is bound.
        identity = BucketingIdentity(customerID: own.customerID, facts: facts)
        assessment = Assessment(of: customer, on: tools.app.catalogue.sorted, historyUpdatedAt: stored.updatedAt)
        notes =
            !stored.isSupplied
            ? ["nothing is known of \(name): tried as a customer without purchases"]
            : own.isSupplied
                ? [] : ["\(name) is no customer's id but leads to purchases; campaigns with unit customer need the id"]
    }
}
