import EligibilityRules
import NIOHTTP1
import OfferService
import WireText

/// `POST /v1/offers`: which offers campaigns give a customer.
struct OffersController: Endpoint {
    let path = "/v1/offers"
    let access = OperationAccess.needsOrEndUser(.sign)
    let app = AppScope.named

    let inquiry: OfferInquiry

    private static let fields = [
        "bundleId", "customerId", "appAccountToken", "transactionId", "appTransactionId", "environment",
        "signedTransactions", "placement", "attributes",
    ]

    func respond(to exchange: Exchange) {
        do {
            let isNamed = exchange.caller.endUser != nil
            let (reference, occasion) = try exchange.read(fields: Self.fields) { reader throws(RequestFault) in
                (EligibilityController.reference(reader, isNamed: isNamed), reader.occasion())
            }
            inquiry.choose(
                for: reference, occasion, of: try exchange.app(), for: exchange.caller, from: exchange.supplier,
                lane: exchange.lane
            ) { result in
                exchange.reply(result.map { Answer(status: .ok, body: OffersJSON.body($0)) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
