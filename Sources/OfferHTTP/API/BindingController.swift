import OfferService

/// `POST /v1/customers/{customerId}/transactions`: says whose a subscription is.
struct BindingController: Endpoint {
    let path = "/v1/customers/{customerId}/transactions"
    let access = OperationAccess.needs(.history)
    let app = AppScope.named

    let binding: CustomerBinding

    func respond(to exchange: Exchange) {
        do {
            let id = try exchange.read(fields: ["bundleId", "originalTransactionId"]) { reader throws(RequestFault) in
                reader.check(exchange.parameter, as: "customerId")
                return reader.transactionID("originalTransactionId")
            }
            let app = try exchange.app()
            let customerID = exchange.parameter ?? ""
            let origin = Origin(actor: exchange.caller.id, requestID: exchange.requestID, address: exchange.address)
            exchange.lane.perform({ [binding] in
                try await binding.bind(id, to: customerID, app, by: origin)
            }) { result in
                exchange.reply(result.map { HistoryJSON.status($0 ? "bound" : "unchanged") })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
