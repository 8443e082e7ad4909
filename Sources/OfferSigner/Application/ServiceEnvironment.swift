import AppStore
import Logging
import OfferHTTP
import OfferService

/// The things that all parts of the service share: configuration, time and randomness, log and metrics.
struct ServiceEnvironment {
    let configuration: ServiceConfiguration
    let system: SystemEnvironment
    let sink: LogSink
    let logLevel: LogLevel
    let offerLines: OfferLines
    let rates: CurrentRates
    /// The settings in force, which a reload may change.
    let settings: SettingsInForce
    let logger: Logger
    let registry = PrometheusRegistry()
    let metrics: ServiceMetrics
    let failures: FailureLog
    /// Writes requests and seals to the log.
    let log: RequestLog
    let observer: ServiceObserver
    /// The id that distinguishes this process from the others that serve the same store.
    let replicaID = RequestID.make()
    /// How many processes serve the store.
    let replicas = ReplicaCount()

    init(_ configuration: ServiceConfiguration, system: SystemEnvironment, sink: LogSink) {
        self.configuration = configuration
        self.system = system
        self.sink = sink
        let logLevel = LogLevel(configuration.logLevel)
        self.logLevel = logLevel
        offerLines = OfferLines(configuration.offerLines)
        rates = CurrentRates(accessKeys: configuration.accessKeyRate, endUsers: configuration.endUserRate)
        settings = SettingsInForce(configuration)
        logger = Logger(label: "offersigner") { label in JSONLogHandler(label: label, level: logLevel, sink: sink) }
        let metrics = ServiceMetrics(registry)
        self.metrics = metrics
        failures = FailureLog(logger: logger) { metrics.countFailure(subject: $0.subject.rawValue, code: $0.code) }
        log = RequestLog(sink: sink, level: logLevel, offers: offerLines)
        observer = ServiceObserver(log: log, metrics: metrics, failures: failures)
    }
}

extension ServiceEnvironment {
    /// Adds the metrics that are read only when they are requested.
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
