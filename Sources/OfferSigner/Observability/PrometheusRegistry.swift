import CoreMetrics
import Synchronization

/// A swift-metrics backend that is read as Prometheus text.
final class PrometheusRegistry: MetricsFactory, Sendable {
    fileprivate struct Series: Hashable {
        let name: String
        /// `{a="b"}`, or empty.
        let labels: String
    }

    private struct State {
        var counters: [Series: PrometheusCounter] = [:]
        var gauges: [Series: PrometheusGauge] = [:]
        var histograms: [Series: PrometheusHistogram] = [:]
    }

    /// Upper bounds in seconds, for durations of microseconds to seconds.
    private static let durationBounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
    ]
    private static let sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048].map(Double.init)

    private let state = Mutex(State())

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

    /// All series in Prometheus' text format 0.0.4.
    func text() -> String {
        let (counters, gauges, histograms) = state.withLock { ($0.counters, $0.gauges, $0.histograms) }
        var lines: [String] = []
        append(counters, "counter", to: &lines) { series, counter in ["\(series.name)\(series.labels) \(counter.value)"] }
        append(gauges, "gauge", to: &lines) { series, gauge in ["\(series.name)\(series.labels) \(gauge.value)"] }
        append(histograms, "histogram", to: &lines) { series, histogram in
            histogram.lines(name: series.name, labels: series.labels)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func append<Value>(
        _ values: [Series: Value],
        _ type: String,
        to lines: inout [String],
        _ format: (Series, Value) -> [String]
    ) {
        let byName = Dictionary(grouping: values, by: \.key.name)
        for (name, members) in byName.sorted(by: { $0.key < $1.key }) {
            lines.append("# TYPE \(name) \(type)")
            for (series, value) in members.sorted(by: { $0.key.labels < $1.key.labels }) {
                lines += format(series, value)
            }
        }
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
