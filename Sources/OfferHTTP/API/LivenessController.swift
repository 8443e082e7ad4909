import NIOHTTP1
import OfferService

/// `GET /livez`: whether the process answers. Depends on nothing but the event loop of the connection.
struct LivenessController: Endpoint {
    let operation = Operation.getLiveness
    let app = AppScope.none
    let maxBodySize = 0

    func respond(to exchange: Exchange) {
        exchange.reply(.success(Answer(status: .ok, body: Array(#"{"alive":true}"#.utf8))))
    }
}
