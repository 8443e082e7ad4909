import AppStore
import EligibilityRules
import Logging
import OfferStore
import ServiceLifecycle

/// Fetches the notifications that did not reach us: once at the start, for the time that we were away, and now and then.
struct NotificationCatchUp: Service {
    private static let lease = "notification-catch-up"
    /// Fetched twice rather than missed: the App Store lists a notification a little after sending it. In ms.
    private static let overlap: Int64 = 10 * 60 * 1000
    /// How far back the first look goes, and how far back the App Store can look, in ms.
    private static let firstLook: Int64 = 24 * 3600 * 1000
    private static let farthestLook: Int64 = 180 * 24 * 3600 * 1000

    let apps: AppDirectory
    let intake: NotificationIntake
    /// By bundle id.
    let serverAPIs: [String: ServerAPI]
    let leases: any LeaseStore
    let progress: any ProgressStore
    let interval: Duration
    let system: SystemEnvironment
    let holder: String
    let logger: Logger

    /// Catches up every interval until the service stops.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await catchUpOnce()
                try? await Task.sleep(for: interval)
            }
        }
        try? await leases.release(Self.lease, holder: holder)
    }

    /// One round over every app.
    func catchUpOnce() async {
        for app in apps.all {
            guard let serverAPI = serverAPIs[app.bundleID] else { continue }
            do {
                let milliseconds = max(600_000, interval.components.seconds * 3000)
                guard try await leases.acquire(Self.lease, holder: holder, now: system.now(), milliseconds: milliseconds)
                else { return }
                try await catchUp(app, serverAPI)
            } catch is CancellationError {
                return
            } catch {
                logger.notice(
                    "missed notifications could not be fetched",
                    metadata: ["app": "\(app.bundleID)", "reason": "\(error)"])
            }
        }
    }

    private func catchUp(_ app: App, _ serverAPI: ServerAPI) async throws {
        let name = "notification-catch-up:\(app.bundleID)"
        let now = system.now()
        let last = try await progress.progress(name).flatMap { Int64($0) }
        let start = max(last.map { $0 - Self.overlap } ?? now.milliseconds - Self.firstLook, now.milliseconds - Self.farthestLook)
        var page: String?
        var stored = 0
        repeat {
            let found = try await serverAPI.notificationHistory(
                from: Instant(milliseconds: start), to: now, page: page, in: app.identity.environment)
            for payload in found.signedPayloads { stored += try await take(payload, app) }
            page = found.nextPage
        } while page != nil
        try await progress.setProgress(name, to: "\(now.milliseconds)")
        guard stored > 0 else { return }
        logger.info("fetched missed notifications", metadata: ["app": "\(app.bundleID)", "count": "\(stored)"])
    }

    private func take(_ signedPayload: String, _ app: App) async throws -> Int {
        let body = Array(#"{"signedPayload":"\#(signedPayload)"}"#.utf8)
        do {
            return try await intake.take(body, app) == .stored ? 1 : 0
        } catch let error as HistoryError {
            logger.warning("a fetched notification was refused", metadata: ["reason": "\(error)"])
            return 0
        }
    }
}
