import OfferStore

/// `POST /v1/customers/{customerId}/transactions`: says whose a subscription is.
struct BindingController: Endpoint {
    let path = "/v1/customers/{customerId}/transactions"
    let permission: Permission? = .history

    let apps: AppDirectory
    let store: any HistoryStore
    let system: SystemEnvironment

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read(fields: ["bundleId", "originalTransactionId"]) { reader throws(RequestFault) in
                reader.check(exchange.parameter, as: "customerId")
                return (
                    bundleID: reader.optionalText("bundleId"),
                    originalTransactionID: reader.transactionID("originalTransactionId")
                )
            }
            let app = try apps.app(named: request.bundleID, for: exchange.caller)
            let customerID = exchange.parameter ?? ""
            exchange.lane.perform({ [store, system] in
                try await store.bind(
                    originalTransactionID: request.originalTransactionID, to: customerID, bundleID: app.bundleID,
                    now: system.now())
            }) { result in
                exchange.reply(
                    Result {
                        switch try result.get() {
                        case .bound: return HistoryAnswer.status("bound")
                        case .unchanged: return HistoryAnswer.status("unchanged")
                        case .boundToAnotherCustomer: throw HistoryError.boundToAnotherCustomer
                        }
                    })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
