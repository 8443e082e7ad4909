import NIOCore
import Synchronization

/// `POST /v1/appstore/notifications/{bundleId}`: App Store Server Notifications, V1 and V2.
final class NotificationController: Endpoint {
    // Whoever finds the address can send forgeries, and judging one may take milliseconds: no more than these wait at a time.
    private static let mostAtOnce = 256

    let path = "/v1/appstore/notifications/{bundleId}"
    let permission: Permission? = nil

    private let apps: AppDirectory
    private let intake: NotificationIntake
    private let underWay = Atomic(0)

    init(apps: AppDirectory, intake: NotificationIntake) {
        self.apps = apps
        self.intake = intake
    }

    func respond(to exchange: Exchange) {
        do {
            let app = try apps.app(exchange.parameter ?? "")
            let body = Array(exchange.body.readableBytesView)
            try enter()
            exchange.lane.perform({ [intake] in try await intake.take(body, app) }) { [self] result in
                underWay.subtract(1, ordering: .relaxed)
                exchange.reply(result.map { HistoryAnswer.status($0.rawValue) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private func enter() throws(HistoryError) {
        guard underWay.add(1, ordering: .relaxed).newValue <= Self.mostAtOnce else {
            underWay.subtract(1, ordering: .relaxed)
            throw .busy
        }
    }
}
