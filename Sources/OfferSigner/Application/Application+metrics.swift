import AppStore
import OfferService

extension ServiceApplication {
    /// Lets the metrics tell of what is looked at only when they are asked for.
    static func addMetrics(
        to registry: PrometheusRegistry,
        _ configuration: ServiceConfiguration,
        rounds: RoundTimes,
        tls: CertificateWatch?,
        receipts: ReceiptMetrics?,
        campaigns: CampaignMetrics,
        keys: KeyMetrics
    ) {
        let version = MetricSample.Label("version", ProgramVersion.current)
        let fixed = [MetricSample(name: "offersigner_build_info", labels: [version], value: 1)]
        let sources: [any MetricSource] = [FixedMetrics(values: fixed), ProcessMetrics(), keys, campaigns, rounds]
        for source in sources { registry.add(source) }
        if let files = configuration.store.files { registry.add(StoreMetrics(files: files)) }
        if let tls { registry.add(tls) }
        if let receipts { registry.add(receipts) }
    }

    /// What is done in the background with this configuration.
    static func rounds(
        _ configuration: ServiceConfiguration,
        apps: AppDirectory,
        serverAPIs: [String: ServerAPI]
    ) -> [RoundTimes.Round] {
        var rounds: [RoundTimes.Round] = []
        if configuration.pollSeconds > 0, !serverAPIs.isEmpty { rounds.append(.renewalPoll) }
        if configuration.pollSeconds > 0, apps.all.contains(where: \.isPolledByReceipt) { rounds.append(.receiptPoll) }
        if configuration.catchUpSeconds > 0 {
            rounds += apps.partitions.filter { serverAPIs[$0.bundleID] != nil }.map { .catchUp(app: $0.partitionName) }
        }
        return rounds
    }
}
