import AppStore
import OfferService

extension ServiceApplication {
    /// Lets the metrics tell of what is looked at only when they are asked for.
    static func addMetrics(
        to registry: PrometheusRegistry,
        _ configuration: ServiceConfiguration,
        rounds: RoundTimes,
        tls: CertificateWatch?,
        keys: KeyMetrics
    ) {
        let version = MetricSample.Label("version", ProgramVersion.current)
        let fixed = [MetricSample(name: "offersigner_build_info", labels: [version], value: 1)]
        let store = StoreMetrics(signatures: configuration.sqlitePath, histories: configuration.historiesPath)
        let sources: [any MetricSource] = [FixedMetrics(values: fixed), ProcessMetrics(), store, keys, rounds]
        for source in sources { registry.add(source) }
        if let tls { registry.add(tls) }
    }

    /// What is done in the background with this configuration.
    static func rounds(
        _ configuration: ServiceConfiguration,
        _ apps: AppDirectory,
        serverAPIs: [String: ServerAPI]
    ) -> [RoundTimes.Round] {
        guard !serverAPIs.isEmpty else { return [] }
        let polls: [RoundTimes.Round] = configuration.pollSeconds > 0 ? [.renewalPoll] : []
        let catchUps: [RoundTimes.Round] =
            configuration.catchUpSeconds > 0
            ? apps.partitions.filter { serverAPIs[$0.bundleID] != nil }.map { .catchUp(app: $0.partition) } : []
        return polls + catchUps
    }
}
