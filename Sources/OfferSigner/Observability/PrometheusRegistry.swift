import Dispatch
import EligibilityRules
import OfferHTTP
import OfferService
import Synchronization

/// All metrics of this process. It writes them in Prometheus' text format.
final class PrometheusRegistry: Sendable {
    private struct State {
        var metrics: [any AnyPrometheusMetric] = []
        var sources: [any MetricSource] = []
    }

    /// The descriptions by name.
    private let descriptions: [String: MetricDescription]
    private let queue = DispatchQueue(label: "metrics")
    private let state = Mutex(State())

    /// - Parameter descriptions: the descriptions of all metrics. A metric without samples is listed, too.
    init(_ descriptions: [MetricDescription] = MetricDescription.all) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a source that is read whenever the metrics are requested.
    func add(_ source: any MetricSource) { state.withLock { $0.sources.append(source) } }

    /// Makes a counter. Each metric must be made only once.
    func counter(_ name: String, _ labels: String...) -> PrometheusMetric<PrometheusCounter> {
        add(PrometheusMetric(name, labels: labels) { PrometheusCounter() })
    }

    /// Makes a gauge. Each metric must be made only once.
    func gauge(_ name: String, _ labels: String...) -> PrometheusMetric<PrometheusGauge> {
        add(PrometheusMetric(name, labels: labels) { PrometheusGauge() })
    }

    /// Makes a histogram with these upper bounds. Each metric must be made only once.
    func histogram(_ name: String, _ labels: String..., bounds: [Double]) -> PrometheusMetric<PrometheusHistogram> {
        add(PrometheusMetric(name, labels: labels) { PrometheusHistogram(bounds: bounds) })
    }

    private func add<Instrument>(_ metric: PrometheusMetric<Instrument>) -> PrometheusMetric<Instrument> {
        state.withLock { $0.metrics.append(metric) }
        return metric
    }

    /// The names of metrics that have no description, or one of another type, sorted. The manual would lack them.
    var undescribed: [String] {
        state.withLock { $0.metrics }.filter { descriptions[$0.name]?.kind != $0.kind }.map(\.name).sorted()
    }

    /// Returns all series in Prometheus' text format 0.0.4. The sources are read on a thread of their own.
    ///
    /// - Parameter samples: further values, which a source cannot read because reading them means waiting.
    func text(with samples: [MetricSample] = []) async -> String {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.textNow(samples)) }
        }
    }

    private func textNow(_ further: [MetricSample]) -> String {
        let (made, sources) = state.withLock { ($0.metrics, $0.sources) }
        var metrics = descriptions.mapValues { (kind: $0.kind, linesByLabels: [String: [String]]()) }
        for metric in made { metrics[metric.name] = (metric.kind, metric.linesByLabels) }
        for sample in sources.flatMap({ $0.samples() }) + further {
            let labels = PrometheusText.labels(sample.labels.map { ($0.name, $0.value) })
            metrics[sample.name, default: (.gauge, [:])].linesByLabels[labels] = ["\(sample.name)\(labels) \(sample.value)"]
        }
        var lines: [String] = []
        for (name, metric) in metrics.sorted(by: { $0.key < $1.key }) {
            if let help = descriptions[name]?.help { lines.append("# HELP \(name) \(help)") }
            lines.append("# TYPE \(name) \(metric.kind.rawValue)")
            for (_, samples) in metric.linesByLabels.sorted(by: { $0.key < $1.key }) { lines += samples }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
