import OfferService

/// `POST /v1/history/refresh`: pulls a history with the App Store Server API.
struct RefreshController: Endpoint {
    let operation = Operation.refreshHistory
    let app = AppScope.named
    /// A refresh sends requests to the App Store, which allows an app some 50 a second.
    let cost: Int64 = 10

    let refresh: HistoryRefresh

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read {
                reader throws(RequestFault) in
                (
                    customerID: reader.optionalText("customerId"),
                    transactionID: reader.transactionID("transactionId")
                )
            }
            let (app, supplier) = (try exchange.app(), exchange.supplier)
            exchange.lane.examine({ [refresh] in
                try await refresh.refresh(
                    transactionID: request.transactionID, customerID: request.customerID, from: supplier, app)
            }) { result in
                exchange.reply(result.map(HistoryJSON.report))
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
