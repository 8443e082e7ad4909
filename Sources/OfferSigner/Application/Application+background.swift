import Logging
import OfferHTTP
import OfferService
import OfferStore
import ServiceLifecycle

// The services that ask the App Store, and tie what they learn to what was signed.
extension ServiceApplication {
    /// Nil where no app is polled with receipts.
    static func receiptPoller(
        _ configuration: ServiceConfiguration,
        apps: AppDirectory,
        polling: ReceiptPolling,
        system: SystemEnvironment,
        rounds: RoundTimes,
        failures: FailureLog,
        logger: Logger
    ) -> ReceiptPoller? {
        guard configuration.pollSeconds > 0, apps.all.contains(where: \.isPolledByReceipt) else { return nil }
        return ReceiptPoller(
            apps: apps, polling: polling, interval: .seconds(configuration.pollSeconds), system: system, rounds: rounds,
            failures: failures, logger: logger)
    }

    /// - Parameters:
    ///   - holder: the name that leases are taken under.
    ///   - replicas: those that share what the App Store allows.
    static func backgroundServices(
        _ configuration: ServiceConfiguration,
        holder: String,
        replicas: ReplicaCount,
        apps: AppDirectory,
        refresh: HistoryRefresh,
        notifications: NotificationIntake,
        store: Store,
        counter: RedemptionCounter,
        system: SystemEnvironment,
        rounds: RoundTimes,
        failures: FailureLog,
        logger: Logger
    ) -> [any Service] {
        var services: [any Service] = [
            RedemptionMatcher(
                redemptions: store.redemptions, counter: counter, interval: .seconds(10), system: system, failures: failures)
        ]
        if configuration.pollSeconds > 0 {
            services.append(
                RenewalPoller(
                    apps: apps, refresh: refresh, histories: store.purchases.histories,
                    interval: .seconds(configuration.pollSeconds), replicas: replicas, system: system, rounds: rounds,
                    failures: failures, logger: logger))
        }
        if configuration.catchUpSeconds > 0 {
            services.append(
                NotificationCatchUp(
                    apps: apps, intake: notifications, serverAPIs: refresh.serverAPIs, leases: store.purchases.leases,
                    progress: store.purchases.progress, interval: .seconds(configuration.catchUpSeconds), system: system,
                    holder: holder, rounds: rounds, failures: failures, logger: logger))
        }
        return services
    }
}
