import AppStore
import EligibilityRules
package import Logging
package import OfferStore
import ServiceLifecycle

/// Asks the App Store about subscriptions near and past their expiry: of some changes it sends no word.
///
/// What is due stands in the store, so that a restart forgets nothing; a lease sees to it that one replica asks.
package struct RenewalPoller: Service {
    private static let maxPerRound = 200
    /// How soon a question that was not answered is asked again, in ms.
    private static let pause: Int64 = 600_000

    package let apps: AppDirectory
    package let refresh: HistoryRefresh
    package let histories: any HistoryStore
    let interval: Duration
    package let system: SystemEnvironment
    /// Renewed before every question.
    private let lease: Lease
    let rounds: RoundTimes
    package let failures: FailureLog
    package let logger: Logger

    /// - Parameter holder: tells this process from others.
    package init(
        apps: AppDirectory,
        refresh: HistoryRefresh,
        histories: any HistoryStore,
        leases: any LeaseStore,
        interval: Duration,
        system: SystemEnvironment,
        holder: String,
        rounds: RoundTimes,
        failures: FailureLog,
        logger: Logger
    ) {
        self.apps = apps
        self.refresh = refresh
        self.histories = histories
        self.interval = interval
        self.system = system
        lease = Lease(leases, "renewal-poller", holder: holder)
        self.rounds = rounds
        self.failures = failures
        self.logger = logger
    }

    /// Polls every interval until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let hadTurn = await pollOnce()
                try? await system.sleep(hadTurn ? interval : min(interval, .seconds(2)))
            }
        }
        try? await lease.release()
    }

    /// One round: what is due of every app, as far as the App Store lets us. False if another process has the lease.
    func pollOnce() async -> Bool {
        do {
            // Before what is due is read: another process may be about to answer for it.
            guard try await lease.hold() else { return false }
            var isComplete = true
            for app in apps.partitions where refresh.serverAPIs[app.bundleID] != nil {
                switch try await poll(app) {
                case .done: continue
                case .putOff: isComplete = false
                case .notOurTurn: return false
                }
            }
            try await lease.release()
            if isComplete { rounds.note(.renewalPoll) }
        } catch  where Task.isCancelled {
            return true
        } catch {
            failures.note("polling was cut short", .of(error))
        }
        return true
    }

    private enum Outcome {
        case done
        /// The App Store did not answer.
        case putOff
        /// Another process has the lease.
        case notOurTurn
    }

    private func poll(_ app: App) async throws -> Outcome {
        let due = try await histories.dueForPolling(
            partition: app.partition, now: system.now(), limit: Self.maxPerRound)
        for target in due {
            try Task.checkCancellation()
            guard try await lease.hold() else { return .notOurTurn }
            guard try await ask(about: target, app) else { return .putOff }
        }
        return .done
    }

    /// False if the App Store is away or has had enough of us: the rest of this app waits for the next round.
    private func ask(about target: PollTarget, _ app: App) async throws -> Bool {
        do {
            _ = try await refresh.refresh(transactionID: target.originalTransactionID, customerID: nil, app)
            try await histories.scheduleNextPolling(of: target, askedAt: system.now())
        } catch HistoryError.refusedByAppStore(let code, let detail, isFinal: true) {
            // It will not be known tomorrow either.
            logger.notice("a subscription is not polled any more", metadata: ["reason": "\(code): \(detail)"])
            try await histories.schedulePolling(of: target, at: nil)
        } catch let error as HistoryError {
            // Who stops gives up the question; that it was not answered says nothing.
            try Task.checkCancellation()
            failures.note("polling is put off", .of(error), app: app.bundleID)
            // Behind the others, so that a question that is never answered holds up nobody.
            try await histories.schedulePolling(of: target, at: system.now().advanced(by: Self.pause))
            return false
        }
        return true
    }
}
