import OfferService

/// `POST /v1/customers/{customerId}/transactions`: says whose a subscription is.
struct BindingController: Endpoint {
    let path = "/v1/customers/{customerId}/transactions"
    let access = OperationAccess.needs(.history)
    let app = AppScope.named

    let binding: CustomerBinding

    func respond(to exchange: Exchange) {
        do {
            let fields = ["bundleId", "environment", "originalTransactionId", "transfer"]
            let (id, transfer) = try exchange.read(fields: fields) { reader throws(RequestFault) in
                reader.check(exchange.parameter, as: "customerId")
                return (reader.transactionID("originalTransactionId"), reader.optionalBool("transfer") ?? false)
            }
            let app = try exchange.app()
            let customerID = exchange.parameter ?? ""
            let origin = Origin(actor: exchange.caller.id, requestID: exchange.requestID, address: exchange.address)
            exchange.lane.perform({ [binding] in
                try await binding.bind(id, to: customerID, transfer: transfer, app, by: origin)
            }) { result in
                exchange.reply(result.map { HistoryJSON.status($0.rawValue) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
