import OfferService
import OfferStore

/// The number of kept receipts, by the last answer about them.
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
