import NIOCore
import OfferService

/// `POST /v1/appstore/retention/{bundleId}`: what to show a customer who is about to cancel (Retention Messaging).
struct RetentionController: Endpoint {
    let operation = Operation.answerRetentionRequest
    let app = AppScope.inPath
    let readsJSON = false
    /// A request has some 5 KB, most of them certificates.
    let maxBodySize = 64 * 1024

    let desk: RetentionDesk

    func check() throws { try desk.checkRoom() }

    func respond(to exchange: Exchange) {
        do {
            desk.answer(
                Array(exchange.body.readableBytesView), for: try exchange.app(), requestID: exchange.requestID,
                address: exchange.address, lane: exchange.lane
            ) { result in
                exchange.reply(result.map { $0.isEmpty ? .nothing : .secret($0) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
