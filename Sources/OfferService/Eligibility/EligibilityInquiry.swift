package import EligibilityRules
import OfferStore

/// The use case: which offers may a customer have, and why? Knows nothing of HTTP.
package final class EligibilityInquiry: Sendable {
    /// Whom and what somebody asks about.
    package struct Request: Sendable {
        package let customerID: String?
        /// A UUID in lower case.
        package let appAccountToken: String?
        package let originalTransactionID: String?
        /// The Apple account.
        package let appTransactionID: String?
        /// Product ids; nil: all of the catalogue's.
        package let products: [String]?
        /// StoreKit 2 transactions (JWS) that the client brings along.
        let signedTransactions: [String]

        /// Takes the values as they are.
        package init(
            customerID: String?,
            appAccountToken: String?,
            originalTransactionID: String?,
            appTransactionID: String?,
            products: [String]?,
            signedTransactions: [String]
        ) {
            self.customerID = customerID
            self.appAccountToken = appAccountToken
            self.originalTransactionID = originalTransactionID
            self.appTransactionID = appTransactionID
            self.products = products
            self.signedTransactions = signedTransactions
        }

        /// The request as its caller may make it: an end user asks about nobody else.
        func asked(by caller: Caller) throws(EndUserRefusal) -> Request {
            guard let endUser = caller.endUser else { return self }
            if originalTransactionID != nil { throw .naming("originalTransactionId") }
            if appTransactionID != nil { throw .naming("appTransactionId") }
            guard appAccountToken == nil || appAccountToken == endUser.accountToken else { throw .naming("appAccountToken") }
            return Request(
                customerID: endUser.customerID, appAccountToken: endUser.accountToken, originalTransactionID: nil,
                appTransactionID: nil, products: products, signedTransactions: signedTransactions)
        }
    }

    private let intake: HistoryIntake
    private let system: SystemEnvironment
    /// Asks the App Store about customers of long ago, behind the answer; nil: nobody does.
    private let lapsed: LapsedRefresher?

    /// Takes the values as they are.
    package init(intake: HistoryIntake, system: SystemEnvironment, lapsed: LapsedRefresher?) {
        self.intake = intake
        self.system = system
        self.lapsed = lapsed
    }

    /// Takes in what the request brings along, looks the customer up and judges; replies on the lane's loop.
    package func assess(
        _ request: Request,
        of app: App,
        for caller: Caller,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<Assessment, any Error>) -> Void
    ) {
        do {
            let products = try app.catalogue.products(request.products)
            findHistory(of: request, app, for: caller, from: supplier, lane: lane) { [system, lapsed] result in
                reply(
                    Result {
                        let (stored, isAccountKnown) = try result.get()
                        let customer = Customer(stored, of: app, now: system.now())
                        var assessment = Assessment(of: customer, on: products, historyUpdatedAt: stored.updatedAt)
                        if app.policy.knowsPurchases, isAccountKnown {
                            assessment.subscriptionOwner = customer.ownerOfRunningSubscription(stored.namedAccount)
                        }
                        lapsed?.look(at: assessment, of: app)
                        return assessment
                    })
            }
        } catch {
            reply(.failure(error))
        }
    }

    /// Takes in what a request brings along and looks the customer up; replies on the lane's loop, also with whether the request has
    /// named or shown an Apple account.
    ///
    /// - Parameter isWhole: whether more is asked than what decides about offers.
    func findHistory(
        of request: Request,
        _ app: App,
        for caller: Caller,
        isWhole: Bool = false,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<(StoredHistory, isAccountKnown: Bool), any Error>) -> Void
    ) {
        do {
            let request = try request.asked(by: caller)
            // Where none can be verified they are not looked at: the app under test is the one that is released.
            guard !request.signedTransactions.isEmpty, app.policy.knowsPurchases else {
                return find(request, app, nil, isWhole, lane, reply)
            }
            lane.examine({ [intake] in
                try await intake.show(request.signedTransactions, request.customerID, from: supplier, app)
            }) { result in
                switch result {
                case .failure(let error): reply(.failure(error))
                case .success(let shown): self.find(request, app, shown, isWhole, lane, reply)
                }
            }
        } catch {
            reply(.failure(error))
        }
    }

    /// Has the App Store asked, behind the answer, about a customer of long ago.
    func refreshIfLapsed(_ customer: Customer, of app: App) {
        lapsed?.look(at: customer.ownStatus, of: app, now: customer.now)
    }

    private func find(
        _ request: Request,
        _ app: App,
        _ shown: ShownPurchase?,
        _ isWhole: Bool,
        _ lane: StoreLane,
        _ reply: @escaping (Result<(StoredHistory, isAccountKnown: Bool), any Error>) -> Void
    ) {
        let query = HistoryQuery(
            bundleID: app.partition, customerID: request.customerID, appAccountToken: request.appAccountToken,
            transactionID: request.originalTransactionID ?? shown?.transactionID,
            appTransactionID: request.appTransactionID ?? shown?.appTransactionID, isWhole: isWhole)
        lane.find(query) { result in
            reply(Result { (try result.get().reliable(), request.appTransactionID != nil || shown != nil) })
        }
    }
}

extension Catalogue {
    /// The products of some ids; all of them for nil.
    fileprivate func products(_ ids: [String]?) throws(AppError) -> [SubscriptionProduct] {
        guard let ids else { return sorted }
        var products: [SubscriptionProduct] = []
        for id in ids {
            guard let product = product(id) else { throw .unknownProduct(id) }
            products.append(product)
        }
        return products
    }
}
