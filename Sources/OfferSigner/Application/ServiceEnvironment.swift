import Logging
import OfferHTTP
import OfferService

/// What all parts of the service share: configuration, time and randomness, log and metrics.
struct ServiceEnvironment {
    let configuration: ServiceConfiguration
    let system: SystemEnvironment
    let sink: LogSink
    let logLevel: LogLevel
    let offerLines: OfferLines
    let logger: Logger
    let registry = PrometheusRegistry()
    let metrics: ServiceMetrics
    let failures: FailureLog
    /// Writes requests and seals to the log.
    let log: RequestLog
    let observer: ServiceObserver
    /// Tells this process from the others that serve its store.
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
        logger = Logger(label: "offersigner") { label in JSONLogHandler(label: label, level: logLevel, sink: sink) }
        let metrics = ServiceMetrics(registry)
        self.metrics = metrics
        failures = FailureLog(logger: logger) { metrics.countFailure(subject: $0.subject.rawValue, code: $0.code) }
        log = RequestLog(sink: sink, level: logLevel, offers: offerLines)
        observer = ServiceObserver(log: log, metrics: metrics, failures: failures)
    }
}
