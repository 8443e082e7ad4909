import CoreMetrics
import Dispatch
import EligibilityRules
import OfferHTTP
import OfferService
import Synchronization

/// A swift-metrics backend that is read as Prometheus text.
final class PrometheusRegistry: MetricsFactory, Sendable {
    fileprivate struct Series: Hashable {
        let name: String
        /// `{a="b"}`, or empty.
        let labels: String
    }

    private struct Metric {
        let kind: MetricDescription.Kind
        var linesByLabels: [String: [String]] = [:]
    }

    private struct State {
        var counters: [Series: PrometheusCounter] = [:]
        var gauges: [Series: PrometheusGauge] = [:]
        var histograms: [Series: PrometheusHistogram] = [:]
        var sources: [any MetricSource] = []
    }

    /// Upper bounds in seconds, for durations of microseconds to seconds.
    private static let durationBounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
    ]
    private static let sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048].map(Double.init)

    /// The descriptions by name.
    private let descriptions: [String: MetricDescription]
    private let queue = DispatchQueue(label: "metrics")
    private let state = Mutex(State())

    /// - Parameter descriptions: the descriptions of every metric. A metric without samples is listed too.
    init(_ descriptions: [MetricDescription] = MetricDescription.all) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a source that is read whenever the metrics are requested.
    func add(_ source: any MetricSource) { state.withLock { $0.sources.append(source) } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let series = Series(label, dimensions)
        return state.withLock { $0.counters.value(for: series, or: PrometheusCounter()) }
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        PrometheusFloatingPointCounter(makeMeter(label: label, dimensions: dimensions))
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        let series = Series(label, dimensions)
        return state.withLock { $0.gauges.value(for: series, or: PrometheusGauge()) }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        histogram(label, dimensions, PrometheusRegistry.sizeBounds)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, PrometheusRegistry.durationBounds)
    }

    func destroyCounter(_: any CounterHandler) {}
    func destroyFloatingPointCounter(_: any FloatingPointCounterHandler) {}
    func destroyMeter(_: any MeterHandler) {}
    func destroyRecorder(_: any RecorderHandler) {}
    func destroyTimer(_: any TimerHandler) {}

    private func histogram(_ label: String, _ dimensions: [(String, String)], _ bounds: [Double]) -> PrometheusHistogram {
        let series = Series(label, dimensions)
        return state.withLock { $0.histograms.value(for: series, or: PrometheusHistogram(bounds: bounds)) }
    }

    /// The names of metrics without a description of their type, sorted. The manual does not have them.
    var undescribed: [String] {
        let made: [(String, MetricDescription.Kind)] = state.withLock { state in
            state.counters.keys.map { ($0.name, .counter) } + state.gauges.keys.map { ($0.name, .gauge) }
                + state.histograms.keys.map { ($0.name, .histogram) }
        }
        return Set(made.filter { descriptions[$0]?.kind != $1 }.map(\.0)).sorted()
    }

    /// Returns a function that reports how long requests for signatures have taken so far.
    ///
    /// - Parameter since: the present instant.
    func answerTimes(since: Instant) -> @Sendable () -> AnswerTimes {
        let times = histogram(
            ServiceMetrics.requestSeconds, [("route", "/v1/signatures")], PrometheusRegistry.durationBounds)
        return {
            let (bounds, counts, total) = times.distribution
            return AnswerTimes(bounds: bounds, counts: counts, total: total, since: since)
        }
    }

    /// Returns all series in Prometheus' text format 0.0.4. The sources are read on a thread of their own.
    func text() async -> String {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.textNow()) }
        }
    }

    private func textNow() -> String {
        let (counters, gauges, histograms, sources) = state.withLock {
            ($0.counters, $0.gauges, $0.histograms, $0.sources)
        }
        var metrics = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.key, Metric(kind: $0.value.kind)) })
        func append(_ series: Series, _ kind: MetricDescription.Kind, _ lines: [String]) {
            metrics[series.name, default: Metric(kind: kind)].linesByLabels[series.labels] = lines
        }
        for (series, counter) in counters { append(series, .counter, ["\(series.name)\(series.labels) \(counter.value)"]) }
        for (series, gauge) in gauges { append(series, .gauge, ["\(series.name)\(series.labels) \(gauge.value)"]) }
        for (series, histogram) in histograms {
            append(series, .histogram, histogram.lines(name: series.name, labels: series.labels))
        }
        for sample in sources.flatMap({ $0.samples() }) {
            let series = Series(sample.name, sample.labels.map { ($0.name, $0.value) })
            append(series, .gauge, ["\(series.name)\(series.labels) \(sample.value)"])
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

extension PrometheusRegistry.Series {
    init(_ name: String, _ dimensions: [(String, String)]) {
        self.name = name
        let pairs = dimensions.map { name, value in "\(name)=\"\(Self.escaped(value))\"" }
        labels = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
    }
}

extension Dictionary {
    fileprivate mutating func value(for key: Key, or make: @autoclosure () -> Value) -> Value {
        if let value = self[key] { return value }
        let value = make()
        self[key] = value
        return value
    }
}
