import Synchronization

/// One metric of this process, with an instrument for each series: each combination of its labels' values that has occurred.
final class PrometheusMetric<Instrument: PrometheusInstrument>: Sendable {
    /// The values of the labels. It has three properties instead of a list, which each request would have to allocate.
    private struct Key: Hashable {
        let first, second, third: String

        var values: [String] { [first, second, third] }
    }

    let name: String
    private let labels: [String]
    private let make: @Sendable () -> Instrument
    private let made = Mutex<[Key: Instrument]>([:])

    /// - Parameters:
    ///   - labels: the names of the labels, three at most.
    ///   - make: makes an instrument that has counted nothing.
    init(_ name: String, labels: [String], make: @escaping @Sendable () -> Instrument) {
        self.name = name
        self.labels = labels
        self.make = make
    }

    /// Returns the instrument of a series. The series is reported from the first call on.
    ///
    /// Values that are known before they occur should therefore be named at the start, so that they are reported as 0. The values
    /// have the same order as the names of the labels. Leave out those for which the metric has no label.
    @discardableResult
    func of(_ first: String = "", _ second: String = "", _ third: String = "") -> Instrument {
        let key = Key(first: first, second: second, third: third)
        return made.withLock { made in
            if let instrument = made[key] { return instrument }
            let instrument = make()
            made[key] = instrument
            return instrument
        }
    }
}

/// A metric with instruments of any type.
protocol AnyPrometheusMetric: Sendable {
    var name: String { get }
    var kind: MetricDescription.Kind { get }
    /// The lines of each series in Prometheus' text format. The key is the text of the series' labels.
    var linesByLabels: [String: [String]] { get }
}

extension PrometheusMetric: AnyPrometheusMetric {
    var kind: MetricDescription.Kind { Instrument.kind }

    var linesByLabels: [String: [String]] {
        var lines: [String: [String]] = [:]
        for (key, instrument) in made.withLock({ $0 }) {
            let text = PrometheusText.labels(zip(labels, key.values).map { ($0, $1) })
            lines[text] = instrument.lines(name: name, labels: text)
        }
        return lines
    }
}

/// Writes Prometheus' text format 0.0.4.
enum PrometheusText {
    /// Returns `{a="b"}`, or nothing if there is no label.
    static func labels(_ pairs: [(name: String, value: String)]) -> String {
        let texts = pairs.map { "\($0.name)=\"\(escaped($0.value))\"" }
        return texts.isEmpty ? "" : "{\(texts.joined(separator: ","))}"
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
