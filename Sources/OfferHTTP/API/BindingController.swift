import OfferService
import WireText

/// `POST /v1/customers/{customerId}/transactions`: binds a subscription to a customer.
struct BindingController: Endpoint {
    let operation = Operation.bindTransaction
    let app = AppScope.named

    let binding: CustomerBinding

    func respond(to exchange: Exchange) {
        do {
            let (id, transfer, token) = try exchange.read { reader throws(RequestFault) in
                reader.check(exchange.parameter, as: "customerId")
                return (
                    reader.transactionID("transactionId"), reader.optionalBool("transfer") ?? false,
                    reader.optionalUUID("appAccountToken")
                )
            }
            let app = try exchange.app().withPurchases()
            if token != nil, !app.rules.writesAppAccountToken {
                let reason = "is for the App Store, but this app writes nothing there; set apps[].writeAppAccountToken of the app"
                throw RequestFault.invalidFields([FieldFault(name: "appAccountToken", reason: reason)])
            }
            let customerID = exchange.parameter ?? ""
            let origin = Origin(actor: exchange.caller.id, requestID: exchange.requestID, address: exchange.address)
            exchange.lane.perform({ [binding] in
                try await binding.bind(id, to: customerID, transfer: transfer, token: token, app, by: origin)
            }) { result in
                exchange.reply(result.map { HistoryJSON.binding($0.status, $0.written) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
