/// Values that stay as they were at the start.
struct FixedMetrics: MetricSource {
    let values: [MetricSample]

    func samples() -> [MetricSample] { values }
}
