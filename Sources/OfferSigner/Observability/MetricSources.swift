import EligibilityRules
import OfferService
import OfferSigning
import OfferStore

/// Reports the number of campaigns that are live, paused or left out.
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

/// Reports how many events wait for each endpoint, and how long the oldest has waited.
///
/// Only the process that sends the events has these values.
struct EventMetrics: MetricSource {
    let dispatcher: EventDispatcher
    let now: @Sendable () -> Instant

    func samples() -> [MetricSample] {
        dispatcher.states.flatMap { state in
            let labels = [MetricSample.Label("endpoint", state.endpoint)]
            let age = state.oldestPending.map { max(0, now().milliseconds(since: $0)) } ?? 0
            return [
                MetricSample(name: "offersigner_events_pending", labels: labels, value: Double(state.pending)),
                MetricSample(name: "offersigner_events_pending_age_seconds", labels: labels, value: Double(age) / 1000),
                MetricSample(
                    name: "offersigner_event_endpoint_disabled", labels: labels, value: state.disabledAt == nil ? 0 : 1),
            ]
        }
    }
}

/// Reports values that do not change after the start.
struct FixedMetrics: MetricSource {
    let values: [MetricSample]

    func samples() -> [MetricSample] { values }
}

/// Reports the number of processes that serve the store, and in what they differ.
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

extension RoundTimes: MetricSource {
    func samples() -> [MetricSample] {
        ages.map { round, seconds in
            switch round {
            case .renewalPoll: MetricSample(name: "offersigner_renewal_poll_age_seconds", value: seconds)
            case .receiptPoll: MetricSample(name: "offersigner_receipt_poll_age_seconds", value: seconds)
            case .catchUp(let app):
                MetricSample(
                    name: "offersigner_catch_up_age_seconds", labels: [MetricSample.Label("app", app)], value: seconds)
            }
        }
    }
}

/// Reports the sizes of the store's files.
struct StoreMetrics: MetricSource {
    let files: StoreFiles

    func samples() -> [MetricSample] {
        [("signatures", files.signatures), ("histories", files.histories)].flatMap { file, path in
            [("main", path), ("wal", "\(path)-wal")].compactMap { part, path in
                FileStatus(path: path).map { status in
                    MetricSample(
                        name: "offersigner_store_bytes",
                        labels: [MetricSample.Label("file", file), MetricSample.Label("part", part)],
                        value: Double(status.size))
                }
            }
        }
    }
}

/// Reports the number of stored receipts, by the App Store's last answer about them.
struct ReceiptMetrics: MetricSource {
    let apps: AppDirectory
    let poller: ReceiptPoller

    func samples() -> [MetricSample] {
        let status = poller.status
        let counts = status.counts.map { count in
            MetricSample(
                name: "offersigner_receipts",
                labels: [MetricSample.Label("app", count.partition.name), MetricSample.Label("reason", count.reason ?? "ok")],
                value: Double(count.count))
        }
        let secrets = apps.all.filter(\.isPolledByReceipt).map { app in
            MetricSample(
                name: "offersigner_receipt_secret_refused", labels: [MetricSample.Label("app", app.bundleID)],
                value: status.refusedSecrets.contains(app.bundleID) ? 1 : 0)
        }
        return counts + secrets
            + [MetricSample(name: "offersigner_receipts_unreadable", value: Double(status.unreadable))]
    }
}

/// A source of metrics that are read only when they are requested, instead of being counted all the time.
///
/// It is not called on an event loop, so it may read files.
protocol MetricSource: Sendable {
    /// Returns the present values, or none if they are not known.
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
