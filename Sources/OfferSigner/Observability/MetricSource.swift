/// Something that is looked at when metrics are asked for, not counted all the time.
///
/// Called off the event loops: may look at files.
protocol MetricSource: Sendable {
    /// What there is to say now; nothing where it cannot be known.
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
