import AppStore
import OfferService

extension ServiceEnvironment {
    /// Has the registry read what is looked at only when metrics are asked for.
    func addMetrics(
        _ keys: KeyParts,
        _ cases: UseCases,
        _ polling: PollingParts,
        _ upkeep: UpkeepParts,
        _ edge: EdgeParts,
        _ events: EventParts
    ) {
        let version = MetricSample.Label("version", ProgramVersion.current)
        let fixed = [MetricSample(name: "offersigner_build_info", labels: [version], value: 1)]
        let folder = keys.folder
        let sources: [(any MetricSource)?] = [
            FixedMetrics(values: fixed), ProcessMetrics(),
            KeyMetrics(apps: keys.apps, keys: keys.ring, fileTimes: { (try? folder.fileTimes()) ?? [:] }),
            CampaignMetrics(campaigns: cases.campaigns), polling.rounds,
            configuration.store.files.map { StoreMetrics(files: $0) }, edge.tls,
            polling.receipts.map { ReceiptMetrics(apps: keys.apps, poller: $0) },
            ReplicaMetrics(watch: upkeep.replica),
            events.dispatcher.map { EventMetrics(dispatcher: $0, now: system.now) },
        ]
        for case let source? in sources { registry.add(source) }
    }
}
