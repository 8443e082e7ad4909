import EligibilityRules
import OfferService
import OfferStore

/// How many events wait for each endpoint, and how long the oldest has waited. Only the process that delivers knows.
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
