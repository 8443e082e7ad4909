import OfferService
import OfferSigning
import Synchronization

/// Counts refused tokens of end users, and reports the age of the keys for them.
final class EndUserMetrics: MetricSource {
    private let refused: PrometheusMetric<PrometheusCounter>
    private let holders = Mutex<[CurrentTokenKeys]>([])

    init(_ registry: PrometheusRegistry) {
        refused = registry.counter("offersigner_end_user_tokens_refused_total", "reason")
        for code in TokenError.Code.allCases where code != .malformedKeySet { refused.of(code.rawValue) }
    }

    /// Sets the keys whose age is reported.
    func watch(_ keys: [CurrentTokenKeys]) { holders.withLock { $0 = keys } }

    /// Counts a refusal by its code.
    func countRefused(_ code: String) { refused.of(code).increment() }

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
