import AppStore
import OfferService
import OfferStore
import ServiceLifecycle

/// The services that ask the App Store about purchases, and the one that matches purchases with signatures.
struct PollingParts {
    let rounds: RoundTimes
    /// Asks about subscriptions with their receipts; nil if no app is polled in this way.
    let receipts: ReceiptPoller?
    private let renewals: RenewalPoller?
    private let catchUp: NotificationCatchUp?
    private let refunds: RefundResponder?
    private let matcher: RedemptionMatcher

    /// All services of this part.
    var services: [any Service] {
        let optional: [(any Service)?] = [renewals, catchUp, receipts, refunds]
        return [matcher] + optional.compactMap(\.self)
    }

    init(_ environment: ServiceEnvironment, _ stores: StoreParts, _ keys: KeyParts, _ histories: HistoryParts) {
        let (configuration, system, purchases) = (environment.configuration, environment.system, stores.store.purchases)
        let rounds = RoundTimes(PollingParts.rounds(configuration, keys), system: system)
        self.rounds = rounds
        let round = RoundEnvironment(
            system: system, rounds: rounds, failures: environment.failures, logger: environment.logger)
        matcher = RedemptionMatcher(
            redemptions: stores.store.redemptions, counter: histories.counter, interval: .seconds(10), system: system,
            failures: environment.failures)
        let polls = configuration.pollSeconds > 0
        receipts =
            polls && keys.apps.all.contains(where: \.isPolledByReceipt)
            ? ReceiptPoller(
                apps: keys.apps, polling: histories.polling, interval: .seconds(configuration.pollSeconds),
                environment: round)
            : nil
        renewals =
            polls
            ? RenewalPoller(
                apps: keys.apps, refresh: histories.refresh, histories: purchases.histories,
                interval: .seconds(configuration.pollSeconds), replicas: environment.replicas, environment: round)
            : nil
        catchUp =
            configuration.catchUpSeconds > 0
            ? NotificationCatchUp(
                apps: keys.apps, intake: histories.notifications, serverAPIs: keys.appStore.serverAPIs,
                leases: purchases.leases, progress: purchases.progress, interval: .seconds(configuration.catchUpSeconds),
                holder: environment.replicaID, environment: round)
            : nil
        refunds =
            keys.apps.all.contains { $0.answers.refunds.mode != .off }
            ? RefundResponder(
                apps: keys.apps, desk: histories.refunds, serverAPIs: keys.appStore.serverAPIs, audit: stores.audit,
                observer: RefundMonitor(metrics: environment.metrics), now: { [clock = keys.clock] in try? clock.now() },
                environment: round)
            : nil
    }

    /// The regular rounds of requests to the App Store that this configuration asks for.
    private static func rounds(_ configuration: ServiceConfiguration, _ keys: KeyParts) -> [RoundTimes.Round] {
        let serverAPIs = keys.appStore.serverAPIs
        var rounds: [RoundTimes.Round] = []
        if configuration.pollSeconds > 0, !serverAPIs.isEmpty { rounds.append(.renewalPoll) }
        if configuration.pollSeconds > 0, keys.apps.all.contains(where: \.isPolledByReceipt) { rounds.append(.receiptPoll) }
        if configuration.catchUpSeconds > 0 {
            rounds += keys.apps.partitions.filter { serverAPIs[$0.bundleID] != nil }.map { .catchUp(app: $0.partitionName) }
        }
        return rounds
    }
}
