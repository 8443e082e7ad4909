import NIOCore

/// `POST /v1/appstore/notifications/{bundleId}`: App Store Server Notifications, V1 and V2.
struct NotificationController: Endpoint {
    let path = "/v1/appstore/notifications/{bundleId}"
    let permission: Permission? = nil
    let largestBody = Self.largeBody

    let apps: AppDirectory
    let intake: NotificationIntake

    func respond(to exchange: Exchange) {
        do {
            let app = try apps.app(exchange.parameter ?? "")
            let body = Array(exchange.body.readableBytesView)
            exchange.lane.perform({ [intake] in try await intake.take(body, app) }) { result in
                exchange.reply(result.map { HistoryAnswer.status($0.rawValue) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
