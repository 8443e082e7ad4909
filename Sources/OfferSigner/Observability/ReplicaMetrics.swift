import OfferService

/// The number of processes that serve the store, and their differences.
struct ReplicaMetrics: MetricSource {
    let watch: ReplicaWatch

    func samples() -> [MetricSample] {
        let living = watch.comparisons.filter(\.isAlive)
        let differences = ReplicaComparison.Difference.allCases.map { difference in
            MetricSample(
                name: "offersigner_replicas_different", labels: [MetricSample.Label("in", difference.rawValue)],
                value: Double(living.count { $0.differences.contains(difference) }))
        }
        return [MetricSample(name: "offersigner_replicas", value: Double(living.count))] + differences
    }
}
