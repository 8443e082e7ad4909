/// A source of metrics that are read on request, not counted all the time.
///
/// Called off the event loops: it may read files.
protocol MetricSource: Sendable {
    /// Returns the present values; none if they cannot be known.
    func samples() -> [MetricSample]
}

/// One value of a metric.
struct MetricSample: Sendable, Equatable {
    let name: String
    var labels: [Label] = []
    let value: Double

    /// A name and a value.
    struct Label: Sendable, Equatable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
