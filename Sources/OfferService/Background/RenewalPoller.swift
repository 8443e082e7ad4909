import AppStore
import EligibilityRules
import Logging
package import OfferStore
import ServiceLifecycle

/// Asks the App Store about subscriptions that expire soon or have expired, because it does not notify of every change.
///
/// The store knows which subscriptions are due, so that a restart forgets none. Replicas share the work: each claims a
/// subscription before it asks about it.
package struct RenewalPoller: Service {
    /// The maximum number of questions about one app in a row; then the next app has its turn.
    private static let maxPerRound = 400
    /// The time after which a question that was not answered is asked again, in ms.
    private static let pause: Int64 = 600_000

    package let apps: AppDirectory
    package let refresh: HistoryRefresh
    package let histories: any HistoryStore
    let interval: Duration
    /// The number of replicas.
    ///
    /// They share the App Store's rate limit, so each asks fewer questions at a time if there are more.
    let replicas: ReplicaCount
    let environment: RoundEnvironment

    /// - Parameters:
    ///   - interval: the pause after a round, if nothing more is due.
    ///   - replicas: the number of replicas, which share the App Store's rate limit.
    package init(
        apps: AppDirectory,
        refresh: HistoryRefresh,
        histories: any HistoryStore,
        interval: Duration,
        replicas: ReplicaCount,
        environment: RoundEnvironment
    ) {
        self.apps = apps
        self.refresh = refresh
        self.histories = histories
        self.interval = interval
        self.replicas = replicas
        self.environment = environment
    }

    /// Polls until the service stops. It pauses only when nothing more is due.
    package func run() async throws {
        await environment.system.rounds { await pollOnce() ? interval : .zero }
    }

    /// Asks once about every subscription that is due, as far as the App Store permits.
    ///
    /// Returns false if more may be due.
    func pollOnce() async -> Bool {
        do {
            var ends: Set<ClaimRound<PollTarget>.End> = []
            for app in apps.partitions where refresh.serverAPIs[app.bundleID] != nil { ends.insert(try await poll(app)) }
            if !ends.contains(.putOff) { environment.rounds.note(.renewalPoll) }
            return ends.contains(.putOff) || !ends.contains(.unfinished)
        } catch  where Task.isCancelled {
            return true
        } catch {
            environment.failures.note("polling was cut short", .of(error))
            return true
        }
    }

    private func poll(_ app: App) async throws -> ClaimRound<PollTarget>.End {
        try await ClaimRound<PollTarget>(
            uptime: environment.system.uptime, width: { [replicas] in 1 + 7 / Int(replicas.value) }
        ) { limit in
            let now = environment.system.now()
            return try await histories.claimForPolling(
                partition: app.partition, dueAt: now, until: now.advanced(by: ClaimRound<PollTarget>.claimTime), limit: limit)
        } ask: {
            try await ask(about: $0, app)
        } release: {
            try await histories.schedulePolling(of: $0, at: $0.dueAt)
        }.run(limit: Self.maxPerRound)
    }

    /// Asks about one subscription. Returns false if the App Store is unavailable or limits the rate.
    ///
    /// If it returns false, the app's other subscriptions wait for the next round.
    private func ask(about target: PollTarget, _ app: App) async throws -> Bool {
        do {
            _ = try await refresh.refresh(transactionID: target.originalTransactionID, customerID: nil, answersPoll: true, app)
            try await histories.scheduleNextPolling(of: target, askedAt: environment.system.now())
        } catch HistoryError.refusedByAppStore(let code, let detail, isFinal: true) {
            // The App Store does not know the subscription, so asking again later would not help.
            environment.logger.notice("a subscription is not polled any more", metadata: ["reason": "\(code): \(detail)"])
            try await histories.schedulePolling(of: target, at: nil)
        } catch let error as HistoryError {
            // If the service is stopping, the question was cancelled, so the error says nothing about the App Store.
            try Task.checkCancellation()
            environment.failures.note("polling is put off", .of(error), app: app.bundleID)
            // This subscription becomes due later than the others, so that it does not hold them up if questions about it always
            // fail.
            try await histories.schedulePolling(of: target, at: environment.system.now().advanced(by: Self.pause))
            return false
        }
        return true
    }
}
