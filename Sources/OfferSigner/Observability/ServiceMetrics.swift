import EligibilityRules
import NIOCore
import OfferHTTP
import OfferService
import OfferStore

/// Everything that the service counts, under the names that the dashboards use.
final class ServiceMetrics: Sendable {
    // The texts of all statuses, so that a request does not have to make one.
    private static let statuses = (0...999).map(String.init)

    private let requests: PrometheusMetric<PrometheusCounter>
    private let requestTimes: PrometheusMetric<PrometheusHistogram>
    private let signatures: PrometheusMetric<PrometheusCounter>
    private let advice: PrometheusMetric<PrometheusCounter>
    private let assignments: PrometheusMetric<PrometheusCounter>
    private let failures: PrometheusMetric<PrometheusCounter>
    private let unrecognised: PrometheusMetric<PrometheusCounter>
    private let groupDifferences: PrometheusMetric<PrometheusCounter>
    private let retentionAnswers: PrometheusMetric<PrometheusCounter>
    private let refundRequests: PrometheusMetric<PrometheusCounter>
    private let eventAttempts: PrometheusMetric<PrometheusCounter>
    private let batchSize: PrometheusHistogram
    private let commitTime: PrometheusHistogram
    private let commitFailures: PrometheusCounter
    private let checkpointPause: PrometheusHistogram
    private let checkpointFailures: PrometheusCounter
    private let queueDepth: PrometheusGauge

    init(_ registry: PrometheusRegistry) {
        let durations = PrometheusHistogram.durations
        requests = registry.counter("offersigner_http_requests_total", "route", "status")
        requestTimes = registry.histogram("offersigner_http_request_seconds", "route", bounds: durations)
        signatures = registry.counter("offersigner_signatures_total", "app", "key", "outcome")
        advice = registry.counter("offersigner_signatures_against_advice_total", "app", "code")
        assignments = registry.counter("offersigner_campaign_assignments_total", "app", "campaign", "variant")
        failures = registry.counter("offersigner_failures_total", "subject", "code")
        unrecognised = registry.counter("offersigner_unrecognised_values_total", "app", "field")
        groupDifferences = registry.counter("offersigner_catalogue_group_differences_total", "app")
        retentionAnswers = registry.counter("offersigner_retention_answers_total", "app", "outcome")
        refundRequests = registry.counter("offersigner_refund_requests_total", "app", "outcome")
        eventAttempts = registry.counter("offersigner_event_attempts_total", "endpoint", "result")
        batchSize = registry.histogram("offersigner_ledger_batch_submissions", bounds: PrometheusHistogram.sizes).of()
        commitTime = registry.histogram("offersigner_ledger_commit_seconds", bounds: durations).of()
        commitFailures = registry.counter("offersigner_ledger_commit_failures_total").of()
        checkpointPause = registry.histogram("offersigner_ledger_checkpoint_seconds", bounds: durations).of()
        checkpointFailures = registry.counter("offersigner_ledger_checkpoint_failures_total").of()
        queueDepth = registry.gauge("offersigner_ledger_queue_depth").of()
        reportZeros()
    }

    /// Reports 0 for each series that alerts look at, before there is anything to count. `Failure.known` says why.
    private func reportZeros() {
        for (subject, codes) in Failure.known {
            for code in codes { failures.of(subject.rawValue, code) }
        }
        for route in OpenAPIDocument.routes {
            for status in [401, 500, 503] { requests.of(route, Self.statuses[status]) }
        }
        requests.of("/v1/signatures", Self.statuses[409])
    }

    func count(_ summary: RequestSummary) {
        requests.of(summary.route, Self.statuses[Int(min(summary.status, 999))]).increment()
        requestTimes.of(summary.route).record(nanoseconds: summary.duration.nanoseconds)
    }

    /// Returns a function that reports how long requests for signatures have taken so far.
    ///
    /// - Parameter since: the present instant.
    func answerTimes(since: Instant) -> @Sendable () -> AnswerTimes {
        let times = requestTimes.of("/v1/signatures")
        return {
            let (bounds, counts, total) = times.distribution
            return AnswerTimes(bounds: bounds, counts: counts, total: total, since: since)
        }
    }

    /// Counts signatures of an app with a key; the outcome is `signed` or the code of a refusal.
    func countSignatures(_ count: Int, app: String, key: String, outcome: String) {
        signatures.of(app, key, outcome).increment(by: count)
    }

    /// Counts a value of one of Apple's fields that this version does not know.
    func countUnrecognised(field: String, app: String) { unrecognised.of(app, field).increment() }

    /// Counts a product that the App Store has in another subscription group than the catalogue.
    func countGroupDifference(app: String) { groupDifferences.of(app).increment() }

    /// Counts a customer to whom a campaign has assigned a variant.
    func countAssignment(app: String, campaign: String, variant: String) { assignments.of(app, campaign, variant).increment() }

    /// Counts an answered request of Retention Messaging.
    func countRetentionAnswer(app: String, outcome: String) { retentionAnswers.of(app, outcome).increment() }

    /// Counts a settled refund request.
    func countRefundRequest(app: String, outcome: String) { refundRequests.of(app, outcome).increment() }

    func countEventAttempt(endpoint: String, result: String) { eventAttempts.of(endpoint, result).increment() }

    func countFailure(subject: String, code: String) { failures.of(subject, code).increment() }

    /// Counts a signature that would have been refused with this code if the app enforced eligibility.
    func countSignaturesAgainstAdvice(app: String, code: String) { advice.of(app, code).increment() }
}

extension ServiceMetrics: LedgerObserver {
    func ledgerDidCommit(submissions: Int, duration: Duration) {
        batchSize.record(Double(submissions))
        commitTime.record(duration / .seconds(1))
    }

    func ledgerQueueChanged(depth: Int) { queueDepth.set(depth) }

    func ledgerDidFail(_: StoreError) { commitFailures.increment() }

    func ledgerDidCheckpoint(_ pause: Result<Duration, StoreError>) {
        switch pause {
        case .success(let pause): checkpointPause.record(pause / .seconds(1))
        case .failure: checkpointFailures.increment()
        }
    }
}
