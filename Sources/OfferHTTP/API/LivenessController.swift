import NIOHTTP1
import OfferService

/// `GET /livez`: whether the process answers. Depends on nothing but the event loop of the connection.
struct LivenessController: Endpoint {
    let path = "/livez"
    let method = EndpointMethod.get
    let access = OperationAccess.open
    let app = AppScope.none
    let maxBodySize = 0

    func respond(to exchange: Exchange) {
        exchange.reply(.success(Answer(status: .ok, body: Array(#"{"alive":true}"#.utf8))))
    }
}
