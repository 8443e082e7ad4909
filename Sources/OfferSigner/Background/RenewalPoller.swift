import AppStore
import EligibilityRules
import Logging
import OfferStore
import ServiceLifecycle

/// Asks the App Store about subscriptions near and past their expiry: of some changes it sends no word.
///
/// What is due stands in the store, so that a restart forgets nothing; a lease sees to it that one replica asks.
struct RenewalPoller: Service {
    private static let lease = "renewal-poller"
    private static let mostPerRound = 200

    let apps: AppDirectory
    let refresh: HistoryRefresh
    let histories: any HistoryStore
    let leases: any LeaseStore
    let interval: Duration
    let system: SystemEnvironment
    let holder: String
    let logger: Logger

    /// Polls every interval until the service stops.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await pollOnce()
                try? await Task.sleep(for: interval)
            }
        }
        try? await leases.release(Self.lease, holder: holder)
    }

    /// One round: what is due of every app, as far as the App Store lets us.
    func pollOnce() async {
        do {
            let milliseconds = max(60_000, interval.components.seconds * 3000)
            guard try await leases.acquire(Self.lease, holder: holder, now: system.now(), milliseconds: milliseconds)
            else { return }
            for app in apps.all where refresh.serverAPIs[app.bundleID] != nil { try await poll(app) }
        } catch is CancellationError {
            return
        } catch {
            logger.warning("polling was cut short", metadata: ["reason": "\(error)"])
        }
    }

    private func poll(_ app: App) async throws {
        let due = try await histories.dueForPolling(
            bundleID: app.bundleID, now: system.now(), limit: Self.mostPerRound)
        for target in due {
            try Task.checkCancellation()
            do {
                _ = try await refresh.refresh(
                    transactionID: target.originalTransactionID, customerID: nil, app)
                try await reschedule(target)
            } catch HistoryError.refusedByAppStore(let code, let detail) {
                // It will not be known tomorrow either.
                logger.notice(
                    "not polled any more",
                    metadata: ["originalTransactionId": "\(target.originalTransactionID)", "reason": "\(code): \(detail)"])
                try await histories.schedulePolling(of: target, at: nil)
            } catch let error as HistoryError {
                // The App Store is away or has had enough of us: the rest of this app waits for the next round.
                logger.notice("polling is put off", metadata: ["app": "\(app.bundleID)", "reason": "\(error)"])
                return
            }
        }
    }

    private func reschedule(_ target: PollTarget) async throws(StoreError) {
        let now = system.now()
        let query = HistoryQuery(bundleID: target.bundleID, transactionID: target.originalTransactionID)
        let stored = try await histories.wholeHistory(of: query)
        let chain = stored.history.chains.first { $0.originalID == target.originalTransactionID }
        let next = chain.flatMap { PollSchedule.next(for: $0, after: now, lastAsked: now) }
        try await histories.schedulePolling(of: target, at: next)
    }
}
