import EligibilityRules
import NIOHTTP1
import OfferService
import WireText

/// `POST /v1/offers`: which offers campaigns give a customer.
struct OffersController: Endpoint {
    let operation = Operation.giveOffers
    let app = AppScope.named

    let inquiry: OfferInquiry

    func respond(to exchange: Exchange) {
        do {
            let isNamed = exchange.caller.endUser != nil
            let (reference, occasion) = try exchange.read { reader throws(RequestFault) in
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
