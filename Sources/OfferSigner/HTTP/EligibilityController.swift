import EligibilityRules
import NIOHTTP1
import OfferStore
import WireText

/// `POST /v1/eligibility`: which offers a customer may have, and why.
struct EligibilityController: Endpoint {
    private struct Request {
        let bundleID: String?
        let customerID: String?
        let appAccountToken: String?
        let originalTransactionID: String?
        let products: [String]?
        let signedTransactions: [String]
    }

    let path = "/v1/eligibility"
    let permission: Permission? = .sign

    let apps: AppDirectory
    let intake: HistoryIntake
    let system: SystemEnvironment
    /// Asks the App Store about customers of long ago, behind the answer; nil: nobody does.
    let lapsed: LapsedRefresher?

    private static let fields = [
        "bundleId", "customerId", "appAccountToken", "originalTransactionId", "products", "signedTransactions",
    ]

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read(fields: Self.fields, Self.request)
            let app = try apps.app(named: request.bundleID, for: exchange.caller)
            let products = try Self.products(request.products, of: app)
            let query = HistoryQuery(
                bundleID: app.bundleID, customerID: request.customerID, appAccountToken: request.appAccountToken,
                transactionID: request.originalTransactionID)
            guard !request.signedTransactions.isEmpty else { return answer(exchange, query, app, products) }
            exchange.lane.examine({ [intake] in
                try await intake.requireAll(request.signedTransactions, request.customerID, app)
            }) { result in
                if case .failure(let error) = result { return exchange.reply(.failure(error)) }
                answer(exchange, query, app, products)
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private func answer(_ exchange: Exchange, _ query: HistoryQuery, _ app: App, _ products: [SubscriptionProduct]) {
        exchange.lane.find(query) { [system, lapsed] result in
            exchange.reply(
                Result {
                    let stored = try result.get().intact()
                    if stored.isOfAnotherCustomer { throw HistoryError.boundToAnotherCustomer }
                    let customer = Customer(stored, of: app, now: system.now())
                    if let lapsed, !customer.history.isEmpty { lapsed.look(at: customer, products, of: app) }
                    return Answer(
                        status: .ok,
                        body: EligibilityAnswer.body(products, customer, historyUpdatedAt: stored.updatedAt))
                })
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> Request {
        let request = Request(
            bundleID: reader.optionalText("bundleId"),
            customerID: reader.optionalText("customerId"),
            appAccountToken: reader.optionalUUID("appAccountToken")?.lowerCaseString,
            originalTransactionID: reader.optionalTransactionID("originalTransactionId"),
            products: reader.optionalTexts("products", count: 1...100),
            signedTransactions: reader.signedData("signedTransactions", count: 0...200)
        )
        if ["customerId", "appAccountToken", "originalTransactionId"].allSatisfy({ reader.value($0) == nil }) {
            reader.refuse("customerId", "is missing; give it, appAccountToken or originalTransactionId")
        }
        return request
    }

    private static func products(_ ids: [String]?, of app: App) throws(IssueError) -> [SubscriptionProduct] {
        guard let ids else { return app.catalogue.sorted }
        var products: [SubscriptionProduct] = []
        for id in ids {
            guard let product = app.catalogue.product(id) else { throw .unknownProduct(id) }
            products.append(product)
        }
        return products
    }
}
