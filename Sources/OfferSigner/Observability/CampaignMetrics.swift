import EligibilityRules
import OfferService

/// The number of campaigns that are live, paused or left out.
struct CampaignMetrics: MetricSource {
    let campaigns: LiveCampaigns

    func samples() -> [MetricSample] {
        campaigns.all.sorted { $0.key < $1.key }.flatMap { bundleID, campaigns in
            [
                ("live", campaigns.compiled.revisions.count), ("paused", campaigns.paused.count),
                ("left-out", campaigns.faults.count),
            ].map { standing, count in
                MetricSample(
                    name: "offersigner_campaigns",
                    labels: [MetricSample.Label("app", bundleID), MetricSample.Label("standing", standing)], value: Double(count))
            }
        }
    }
}
