import OfferService

/// `POST /v1/customers/{customerId}/transactions`: says whose a subscription is.
struct BindingController: Endpoint {
    let path = "/v1/customers/{customerId}/transactions"
    let permission: Permission? = .history

    let apps: AppDirectory
    let intake: HistoryIntake

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
            exchange.lane.perform({ [intake] in
                try await intake.bind(request.originalTransactionID, to: customerID, app)
            }) { result in
                exchange.reply(result.map { HistoryAnswer.status($0 ? "bound" : "unchanged") })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
