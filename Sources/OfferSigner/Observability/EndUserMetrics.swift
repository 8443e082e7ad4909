import Metrics
import OfferService
import OfferSigning
import Synchronization

/// Counts refused tokens of end users, and reports the age of the keys for them.
final class EndUserMetrics: MetricSource {
    private let refused: [String: Counter]
    private let holders = Mutex<[CurrentTokenKeys]>([])

    init(factory: any MetricsFactory) {
        refused = Dictionary(
            uniqueKeysWithValues: TokenError.Code.allCases.filter { $0 != .malformedKeySet }.map {
                let dimensions = [("reason", $0.rawValue)]
                return (
                    $0.rawValue,
                    Counter(label: "offersigner_end_user_tokens_refused_total", dimensions: dimensions, factory: factory)
                )
            })
        for counter in refused.values { counter.increment(by: 0) }
    }

    /// Adds the keys to the report.
    func watch(_ keys: [CurrentTokenKeys]) { holders.withLock { $0 = keys } }

    /// Counts a refusal by its code.
    func countRefused(_ code: String) { refused[code]?.increment() }

    func samples() -> [MetricSample] {
        holders.withLock { $0 }.flatMap { keys in
            let standing = keys.standing
            let label = MetricSample.Label("issuer", keys.issuer)
            let age = standing.age.map {
                MetricSample(name: "offersigner_end_user_keys_age_seconds", labels: [label], value: $0)
            }
            return [MetricSample(name: "offersigner_end_user_keys", labels: [label], value: Double(standing.count))]
                + (age.map { [$0] } ?? [])
        }
    }
}
