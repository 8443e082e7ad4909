import CoreMetrics
import OfferService
import Synchronization

/// A count that only grows.
final class PrometheusCounter: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }
}

/// A number that goes up and down.
final class PrometheusGauge: MeterHandler {
    private let number = Mutex(0.0)

    var value: Double { number.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { number.withLock { $0 -= amount } }
}

/// Counts of values up to each of some bounds. Durations are recorded in ns and reported in seconds.
final class PrometheusHistogram: RecorderHandler, TimerHandler {
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

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let bucket { state.counts[bucket] += 1 }
            state.sum += value
            state.count += 1
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    /// The number of values so far by upper bound, each counted once, and the total.
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

/// A fractional count. The service makes none, but swift-metrics requires the type.
final class PrometheusFloatingPointCounter: FloatingPointCounterHandler {
    private let meter: any MeterHandler

    init(_ meter: any MeterHandler) { self.meter = meter }

    func increment(by amount: Double) { meter.increment(by: amount) }
    func reset() { meter.set(0.0) }
}
