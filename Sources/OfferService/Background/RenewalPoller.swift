import AppStore
import EligibilityRules
package import Logging
package import OfferStore
import ServiceLifecycle

/// Asks the App Store about subscriptions near and past their expiry: of some changes it sends no word.
///
/// What is due stands in the store, so that a restart forgets nothing. Replicas share the work: each claims what it asks about.
package struct RenewalPoller: Service {
    /// Of an app, before the next app has its turn.
    private static let maxPerRound = 400
    /// How soon a question that was not answered is asked again, in ms.
    private static let pause: Int64 = 600_000

    package let apps: AppDirectory
    package let refresh: HistoryRefresh
    package let histories: any HistoryStore
    let interval: Duration
    /// Share what the App Store allows: so many questions at a time there are in all.
    let replicas: ReplicaCount
    package let system: SystemEnvironment
    let rounds: RoundTimes
    package let failures: FailureLog
    package let logger: Logger

    /// - Parameters:
    ///   - interval: the pause after a round that has left nothing to be asked.
    ///   - replicas: those that share what the App Store allows.
    package init(
        apps: AppDirectory,
        refresh: HistoryRefresh,
        histories: any HistoryStore,
        interval: Duration,
        replicas: ReplicaCount,
        system: SystemEnvironment,
        rounds: RoundTimes,
        failures: FailureLog,
        logger: Logger
    ) {
        self.apps = apps
        self.refresh = refresh
        self.histories = histories
        self.interval = interval
        self.replicas = replicas
        self.system = system
        self.rounds = rounds
        self.failures = failures
        self.logger = logger
    }

    /// Polls until the service stops, with a pause whenever nothing is left to be asked.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if await pollOnce() { try? await system.sleep(interval) }
            }
        }
    }

    /// One round: what is due of every app, as far as the App Store lets us. False if more may be due.
    func pollOnce() async -> Bool {
        do {
            var ends: Set<ClaimRound<PollTarget>.End> = []
            for app in apps.partitions where refresh.serverAPIs[app.bundleID] != nil { ends.insert(try await poll(app)) }
            if !ends.contains(.putOff) { rounds.note(.renewalPoll) }
            return ends.contains(.putOff) || !ends.contains(.unfinished)
        } catch  where Task.isCancelled {
            return true
        } catch {
            failures.note("polling was cut short", .of(error))
            return true
        }
    }

    private func poll(_ app: App) async throws -> ClaimRound<PollTarget>.End {
        try await ClaimRound<PollTarget>(width: { [replicas] in 1 + 7 / Int(replicas.value) }) { limit in
            let now = system.now()
            return try await histories.claimForPolling(
                partition: app.partition, dueAt: now, until: now.advanced(by: ClaimRound<PollTarget>.claimTime), limit: limit)
        } ask: {
            try await ask(about: $0, app)
        } giveBack: {
            try await histories.schedulePolling(of: $0, at: $0.dueAt)
        }.run(limit: Self.maxPerRound)
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
