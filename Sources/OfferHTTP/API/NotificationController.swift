import NIOCore
import OfferService

/// `POST /v1/appstore/notifications/{bundleId}`: App Store Server Notifications, V1 and V2.
struct NotificationController: Endpoint {
    let operation = Operation.receiveNotification
    let app = AppScope.inPath
    let maxBodySize = BodySize.document
    let readsJSON = false

    let intake: NotificationIntake
    /// Runs the intake on a thread of its own: unauthenticated clients may send forgeries, and judging one may take milliseconds.
    let executor = BoundedExecutor(threads: 1, limit: 256, niceness: 10, refusal: HistoryError.busy)

    func check() throws {
        try executor.checkRoom()
    }

    func respond(to exchange: Exchange) {
        do {
            let app = try exchange.app()
            let body = HandedOver(exchange.takeBody())
            exchange.lane.perform(
                on: executor,
                { [intake] in try await intake.take(body.take().map { Array($0.readableBytesView) } ?? [], app) }
            ) { result in
                exchange.reply(result.map { HistoryJSON.status($0.rawValue) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
