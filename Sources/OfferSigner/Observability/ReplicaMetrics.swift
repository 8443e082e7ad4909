import OfferService

/// The number of processes that serve the store, and their differences.
struct ReplicaMetrics: MetricSource {
    let watch: ReplicaWatch

    func samples() -> [MetricSample] {
        let living = watch.standings.filter(\.isAlive)
        let differences = ReplicaStanding.Difference.allCases.map { difference in
            MetricSample(
                name: "offersigner_replicas_different", labels: [MetricSample.Label("in", difference.rawValue)],
                value: Double(living.count { $0.differences.contains(difference) }))
        }
        return [MetricSample(name: "offersigner_replicas", value: Double(living.count))] + differences
    }
}
