package import AppStore
import EligibilityRules
import Logging
package import OfferStore
import ServiceLifecycle

/// Fetches notifications that did not arrive. The first fetch covers the time in which the service was down; further fetches
/// follow at an interval.
package struct NotificationCatchUp: Service {
    /// How far each fetch reaches back before the one before it, in ms.
    ///
    /// They overlap, because the App Store lists a notification only some time after it has sent it.
    private static let overlap: Int64 = 10 * 60 * 1000
    /// How far back the first fetch of an app reaches, and how far back any fetch may reach, in ms.
    ///
    /// The App Store allows 180 days. An hour of that is left for clocks that differ.
    private static let firstLook: Int64 = 24 * 3600 * 1000
    private static let farthestLook: Int64 = 180 * 24 * 3600 * 1000 - 3600 * 1000

    package let apps: AppDirectory
    package let intake: NotificationIntake
    /// The Server APIs by bundle id. An app without an issuer id has none.
    package let serverAPIs: [String: ServerAPI]
    package let progress: any ProgressStore
    let interval: Duration
    /// The lease of this job, which is renewed before every page.
    private let lease: Lease
    let environment: RoundEnvironment

    /// - Parameter holder: identifies this process.
    package init(
        apps: AppDirectory,
        intake: NotificationIntake,
        serverAPIs: [String: ServerAPI],
        leases: any LeaseStore,
        progress: any ProgressStore,
        interval: Duration,
        holder: String,
        environment: RoundEnvironment
    ) {
        self.apps = apps
        self.intake = intake
        self.serverAPIs = serverAPIs
        self.progress = progress
        self.interval = interval
        lease = Lease(leases, "notification-catch-up", holder: holder, uptime: environment.system.uptime)
        self.environment = environment
    }

    /// Catches up every interval until the service stops.
    package func run() async throws {
        await environment.system.rounds(true) { isFirst in
            let hadTurn = await catchUpOnce(always: isFirst)
            if hadTurn { isFirst = false }
            return hadTurn ? interval : min(interval, .seconds(2))
        }
        try? await lease.release()
    }

    /// Fetches once for every app. Returns false if another process has the lease.
    ///
    /// - Parameter always: whether to fetch even if another process has just done so.
    func catchUpOnce(always: Bool) async -> Bool {
        for app in apps.partitions {
            guard let serverAPI = serverAPIs[app.bundleID] else { continue }
            do {
                guard try await catchUp(app, serverAPI, always: always) else { return false }
                environment.rounds.note(.catchUp(app: app.partitionName))
            } catch  where Task.isCancelled {
                return true
            } catch let error as AppStoreError where error.code == .appNotReleased {
                // This is not a failure, because there is nothing to fetch yet. After the release the first fetch begins as for a
                // new app.
                environment.logger.info(
                    "no notifications to fetch", metadata: ["app": "\(app.partitionName)", "reason": "\(error)"])
                environment.rounds.note(.catchUp(app: app.partitionName))
            } catch {
                environment.failures.note("missed notifications could not be fetched", .of(error), app: app.bundleID)
            }
        }
        try? await lease.release()
        return true
    }

    /// Fetches for one app. Returns false if another process has the lease.
    private func catchUp(_ app: App, _ serverAPI: ServerAPI, always: Bool) async throws -> Bool {
        // The lease is acquired before the progress is read. Otherwise another process with the lease could just be changing the
        // progress.
        guard try await lease.hold() else { return false }
        let name = "notification-catch-up:\(app.partitionName)"
        let now = environment.system.now()
        let last = try await progress.progress(name).flatMap { Int64($0) }
        // Another process has fetched less than half an interval ago.
        if !always, let last, now.milliseconds - last < interval.components.seconds * 500 { return true }
        let start = max(
            last.map { $0 - Self.overlap } ?? now.milliseconds - Self.firstLook, now.milliseconds - Self.farthestLook)
        var page: String?
        var stored = 0
        repeat {
            let found = try await serverAPI.notificationHistory(
                from: Instant(milliseconds: start), to: now, page: page, in: app.identity.environment)
            for payload in found.signedPayloads { stored += try await take(payload, app) }
            page = found.nextPage
            if page != nil, try await !lease.hold() { return false }
        } while page != nil
        // If this process has lost the lease, another one may have recorded a later time, which must not be overwritten.
        guard lease.isHeld else { return false }
        try await progress.setProgress(name, to: "\(now.milliseconds)")
        if stored > 0 {
            environment.logger.info(
                "fetched missed notifications", metadata: ["app": "\(app.partitionName)", "count": "\(stored)"])
        }
        return true
    }

    private func take(_ signedPayload: String, _ app: App) async throws -> Int {
        let body = Array(#"{"signedPayload":"\#(signedPayload)"}"#.utf8)
        do {
            return try await intake.take(body, app) == .stored ? 1 : 0
        } catch let error as HistoryError {
            environment.failures.note("a fetched notification was refused", .of(error), app: app.bundleID)
            return 0
        }
    }
}
