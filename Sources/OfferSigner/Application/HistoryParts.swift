import AppStore
import Logging
import OfferHTTP
import OfferService
import OfferStore

/// The parts that receive purchase histories, keep them up to date, and look them up.
struct HistoryParts {
    let reader: SignedDataReader
    let counter: RedemptionCounter
    let keeper: ReceiptKeeper
    let intake: HistoryIntake
    let notifications: NotificationIntake
    let groups: GroupWatch
    let refresh: HistoryRefresh
    /// Asks the App Store again about customers whose subscription has lapsed; nil if this is turned off.
    let lapsed: LapsedRefresher?
    let lookup: HistoryLookup
    let polling: ReceiptPolling
    let refunds: RefundDesk
    /// The use cases that requests of clients and of the App Store call.
    let useCases: HistoryUseCases

    init(_ environment: ServiceEnvironment, _ stores: StoreParts, _ keys: KeyParts) async throws {
        let (configuration, system) = (environment.configuration, environment.system)
        let (purchases, ledger) = (stores.store.purchases, stores.store.signing.ledger)
        let (apps, appStore) = (keys.apps, keys.appStore)
        if try await configuration.lacksHistories(purchases.histories, ledger) {
            environment.logger.warning("\(ServiceConfiguration.lackOfHistories)")
        }
        reader = try SignedDataReader(configuration, system: system)
        let monitor = HistoryMonitor(metrics: environment.metrics, logger: environment.logger)
        counter = RedemptionCounter(redemptions: stores.store.redemptions, ledger: ledger, apps: apps, system: system)
        let vault = ReceiptVault(
            folder: ReceiptSecretFolder(directory: configuration.keys.directory), logger: environment.logger)
        keeper = ReceiptKeeper(vault: vault)
        if apps.all.contains(where: \.isPolledByReceipt) { vault.follow() }
        intake = HistoryIntake(
            store: purchases.histories, reader: reader, system: system, observer: monitor, counter: counter,
            audit: stores.audit, keeper: keeper)
        notifications = NotificationIntake(intake: intake)
        groups = GroupWatch(
            apps: apps, histories: purchases.histories, observer: monitor, interval: .seconds(30), system: system,
            failures: environment.failures)
        await groups.lookOnce()
        let refresh = HistoryRefresh(intake: intake, serverAPIs: appStore.serverAPIs)
        self.refresh = refresh
        lapsed =
            configuration.lapsedRefreshHours == 0
            ? nil
            : LapsedRefresher(
                refresh: refresh, apps: apps, interval: configuration.lapsedRefreshHours * 3_600_000, system: system,
                failures: environment.failures)
        lookup = HistoryLookup(intake: intake, lapsed: lapsed, standing: stores.standing)
        polling = ReceiptPolling(
            intake: intake, verification: appStore.receipts, keeper: keeper, store: purchases.receipts)
        refunds = RefundDesk(store: purchases, audit: stores.audit, system: system)
        useCases = HistoryUseCases(
            intake: intake,
            binding: CustomerBinding(
                intake: intake, audit: stores.audit, writeBack: TokenWriteBack(serverAPIs: appStore.serverAPIs)),
            receipts: ReceiptIntake(intake: intake, verification: appStore.receipts, store: purchases.receipts),
            refresh: refresh, notifications: notifications)
    }
}
