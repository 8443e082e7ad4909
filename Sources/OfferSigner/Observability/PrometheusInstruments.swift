import OfferService
import Synchronization

/// Counts or measures the values of one series of a metric.
protocol PrometheusInstrument: Sendable {
    static var kind: MetricDescription.Kind { get }

    /// Returns the lines of the series in Prometheus' text format.
    ///
    /// - Parameter labels: `{a="b"}`, or empty.
    func lines(name: String, labels: String) -> [String]
}

/// A count that only grows.
final class PrometheusCounter: PrometheusInstrument {
    static let kind = MetricDescription.Kind.counter

    private let count = Atomic<Int64>(0)

    func increment(by amount: Int = 1) { count.wrappingAdd(Int64(amount), ordering: .relaxed) }

    func lines(name: String, labels: String) -> [String] { ["\(name)\(labels) \(count.load(ordering: .relaxed))"] }
}

/// A whole number that goes up and down.
final class PrometheusGauge: PrometheusInstrument {
    static let kind = MetricDescription.Kind.gauge

    private let number = Atomic(0)

    func set(_ value: Int) { number.store(value, ordering: .relaxed) }

    func lines(name: String, labels: String) -> [String] { ["\(name)\(labels) \(Double(number.load(ordering: .relaxed)))"] }
}

/// Counts values by several upper bounds, so that Prometheus can estimate their quantiles.
final class PrometheusHistogram: PrometheusInstrument {
    static let kind = MetricDescription.Kind.histogram
    /// Upper bounds in seconds, for durations of microseconds to seconds.
    static let durations = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    /// Upper bounds for the number of things that are done together.
    static let sizes = (0...11).map { Double(1 << $0) }

    private struct State {
        var counts: [Int64]
        var sum = 0.0
        var count: Int64 = 0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: [Int64](repeating: 0, count: bounds.count)))
    }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let bucket { state.counts[bucket] += 1 }
            state.sum += value
            state.count += 1
        }
    }

    /// Records a duration in ns, as seconds.
    func record(nanoseconds: Int64) { record(Double(nanoseconds) / 1e9) }

    /// The upper bounds, the number of values under each, and the total.
    ///
    /// A value is counted only under the lowest bound that it does not exceed.
    var distribution: (bounds: [Double], counts: [Int64], total: Int64) {
        state.withLock { (bounds, $0.counts, $0.count) }
    }

    /// Returns the lines of the text format, with cumulative counts.
    func lines(name: String, labels: String) -> [String] {
        let state = state.withLock { $0 }
        let inner = labels.isEmpty ? "" : labels.dropFirst().dropLast() + ","
        var total: Int64 = 0
        var lines: [String] = []
        for (bound, count) in zip(bounds, state.counts) {
            total += count
            lines.append("\(name)_bucket{\(inner)le=\"\(bound)\"} \(total)")
        }
        lines.append("\(name)_bucket{\(inner)le=\"+Inf\"} \(state.count)")
        lines.append("\(name)_sum\(labels) \(state.sum)")
        lines.append("\(name)_count\(labels) \(state.count)")
        return lines
    }
}
