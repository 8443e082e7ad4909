package import EligibilityRules
import OfferStore

/// The use case that says which offers a customer may have, and why. It knows nothing of HTTP.
package final class EligibilityInquiry: Sendable {
    private let histories: HistoryLookup
    private let system: SystemEnvironment

    package init(histories: HistoryLookup, system: SystemEnvironment) {
        self.histories = histories
        self.system = system
    }

    /// Merges the purchases in the request into the stored history, looks the customer up, and assesses the products. It replies
    /// on the event loop of the lane.
    ///
    /// - Parameters:
    ///   - products: the ids of the products; nil for all products of the catalogue.
    ///   - plan: the billing plan with which the customer would buy.
    package func assess(
        _ reference: CustomerReference,
        on products: [String]?,
        plan: BillingPlan,
        of app: App,
        for caller: Caller,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<Assessment, any Error>) -> Void
    ) {
        do {
            let products = try app.catalogue.products(products, on: plan)
            let reference = try reference.asked(by: caller)
            histories.find(reference, app, from: supplier, lane: lane) { [histories, system] result in
                reply(
                    Result {
                        let (_, stored, shown) = try result.get()
                        let customer = Customer(stored, of: app, now: system.now())
                        var assessment = Assessment(of: customer, on: products, historyUpdatedAt: stored.updatedAt)
                        if app.policy.knowsPurchases, reference.appTransactionID != nil || shown != nil {
                            assessment.subscriptionOwner = customer.ownerOfRunningSubscription(stored.namedAccount)
                        }
                        histories.lapsed?.look(at: assessment, of: app)
                        return assessment
                    })
            }
        } catch {
            reply(.failure(error))
        }
    }
}

extension Catalogue {
    /// The products with these ids, or all products if the ids are nil, as customers of a billing plan see them.
    fileprivate func products(_ ids: [String]?, on plan: BillingPlan) throws(AppError) -> [SubscriptionProduct] {
        var products = sorted
        if let ids {
            products = []
            for id in ids { products.append(try knownProduct(id)) }
        }
        if plan == .upfront, !hasPlans { return products }
        return products.map { product($0.id, on: plan)! }
    }
}
