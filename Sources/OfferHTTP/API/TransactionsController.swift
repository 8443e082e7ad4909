import OfferService

/// `POST /v1/history/transactions`: StoreKit 2 data from a backend.
struct TransactionsController: Endpoint {
    private struct Request {
        let customerID: String?
        let transactions: [String]
        let renewalInfos: [String]
    }

    let operation = Operation.addTransactions
    let app = AppScope.named

    let intake: HistoryIntake

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read(Self.request)
            let (app, supplier) = (try exchange.app(), exchange.supplier)
            exchange.lane.examine({ [intake] in
                try await intake.take(
                    signedTransactions: request.transactions, signedRenewalInfos: request.renewalInfos,
                    customerID: request.customerID, from: supplier, app)
            }) { result in
                exchange.reply(result.map(HistoryJSON.report))
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> Request {
        if reader.value("signedTransactions") == nil, reader.value("signedRenewalInfos") == nil {
            reader.refuse("signedTransactions", "is missing")
        }
        return Request(
            customerID: reader.optionalText("customerId"),
            transactions: reader.signedData("signedTransactions", count: 0...500),
            renewalInfos: reader.signedData("signedRenewalInfos", count: 0...500)
        )
    }
}
