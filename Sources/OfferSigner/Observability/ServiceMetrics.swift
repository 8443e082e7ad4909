import EligibilityRules
import Metrics
import NIOCore
import OfferHTTP
import OfferService
import OfferStore
import Synchronization

/// Everything that the service counts, under the names that the dashboards use.
final class ServiceMetrics: Sendable {
    private struct Request: Hashable {
        let route: String
        let status: UInt
    }

    private struct Signature: Hashable {
        let app: String
        let key: String
        let outcome: String
    }

    private struct Advice: Hashable {
        let app: String
        let code: String
    }

    private struct Assignment: Hashable {
        let app: String
        let campaign: String
        let variant: String
    }

    private struct Failed: Hashable {
        let subject: String
        let code: String
    }

    private struct State {
        var requests: [Request: Counter] = [:]
        var durations: [String: Metrics.Timer] = [:]
        var signatures: [Signature: Counter] = [:]
        var advice: [Advice: Counter] = [:]
        var failures: [Failed: Counter] = [:]
        var assignments: [Assignment: Counter] = [:]
    }

    /// The durations of requests, by route.
    static let requestSeconds = "offersigner_http_request_seconds"

    private let factory: any MetricsFactory
    private let state = Mutex(State())
    private let batchSize: Recorder
    private let commitTime: Metrics.Timer
    private let commitFailures: Counter
    private let checkpointPause: Metrics.Timer
    private let checkpointFailures: Counter
    private let queueDepth: Meter

    init(factory: any MetricsFactory) {
        self.factory = factory
        batchSize = Recorder(label: "offersigner_ledger_batch_submissions", factory: factory)
        commitTime = Metrics.Timer(label: "offersigner_ledger_commit_seconds", factory: factory)
        commitFailures = Counter(label: "offersigner_ledger_commit_failures_total", factory: factory)
        checkpointPause = Metrics.Timer(label: "offersigner_ledger_checkpoint_seconds", factory: factory)
        checkpointFailures = Counter(label: "offersigner_ledger_checkpoint_failures_total", factory: factory)
        checkpointFailures.increment(by: 0)
        queueDepth = Meter(label: "offersigner_ledger_queue_depth", factory: factory)
        commitFailures.increment(by: 0)
        queueDepth.set(0)
    }

    func count(_ summary: RequestSummary) {
        let request = Request(route: summary.route, status: summary.status)
        let (counter, timer) = state.withLock { state in
            if let counter = state.requests[request], let timer = state.durations[summary.route] { return (counter, timer) }
            let dimensions = [("route", request.route), ("status", "\(request.status)")]
            let counter = Counter(
                label: "offersigner_http_requests_total", dimensions: dimensions, factory: factory)
            let timer = Metrics.Timer(
                label: Self.requestSeconds, dimensions: [("route", request.route)], factory: factory)
            state.requests[request] = counter
            state.durations[summary.route] = timer
            return (counter, timer)
        }
        counter.increment()
        timer.recordNanoseconds(summary.duration.nanoseconds)
    }

    /// Counts signatures of an app with a key; the outcome is `signed` or the code of a refusal.
    func countSignatures(_ count: Int, app: String, key: String, outcome: String) {
        let signature = Signature(app: app, key: key, outcome: outcome)
        let counter = state.withLock { state in
            if let counter = state.signatures[signature] { return counter }
            let dimensions = [("app", app), ("key", key), ("outcome", outcome)]
            let counter = Counter(label: "offersigner_signatures_total", dimensions: dimensions, factory: factory)
            state.signatures[signature] = counter
            return counter
        }
        counter.increment(by: count)
    }

    /// Counts a value of one of Apple's fields that this version does not know.
    func countUnrecognised(field: String, app: String) {
        Counter(
            label: "offersigner_unrecognised_values_total", dimensions: [("app", app), ("field", field)], factory: factory
        ).increment()
    }

    /// Counts a product that the App Store has in another subscription group than the catalogue.
    func countGroupDifference(app: String) {
        Counter(
            label: "offersigner_catalogue_group_differences_total", dimensions: [("app", app)], factory: factory
        ).increment()
    }

    /// Counts a customer that a campaign has taken.
    func countAssignment(app: String, campaign: String, variant: String) {
        let assignment = Assignment(app: app, campaign: campaign, variant: variant)
        let counter = state.withLock { state in
            if let counter = state.assignments[assignment] { return counter }
            let counter = Counter(
                label: "offersigner_campaign_assignments_total",
                dimensions: [("app", app), ("campaign", campaign), ("variant", variant)], factory: factory)
            state.assignments[assignment] = counter
            return counter
        }
        counter.increment()
    }

    /// Counts an answered request of the App Store.
    func countRetentionAnswer(app: String, outcome: String) {
        Counter(
            label: "offersigner_retention_answers_total", dimensions: [("app", app), ("outcome", outcome)], factory: factory
        ).increment()
    }

    /// Counts a settled refund request.
    func countRefundRequest(app: String, outcome: String) {
        Counter(
            label: "offersigner_refund_requests_total", dimensions: [("app", app), ("outcome", outcome)], factory: factory
        ).increment()
    }

    /// Counts an attempt to deliver an event.
    func countEventAttempt(endpoint: String, result: String) {
        Counter(
            label: "offersigner_event_attempts_total", dimensions: [("endpoint", endpoint), ("result", result)], factory: factory
        ).increment()
    }

    /// Counts a failure.
    func countFailure(subject: String, code: String) {
        let failed = Failed(subject: subject, code: code)
        let counter = state.withLock { state in
            if let counter = state.failures[failed] { return counter }
            let counter = Counter(
                label: "offersigner_failures_total", dimensions: [("subject", subject), ("code", code)], factory: factory)
            state.failures[failed] = counter
            return counter
        }
        counter.increment()
    }

    /// Counts a signature that would have been refused with this code if the app enforced eligibility.
    func countSignaturesAgainstAdvice(app: String, code: String) {
        let advice = Advice(app: app, code: code)
        let counter = state.withLock { state in
            if let counter = state.advice[advice] { return counter }
            let counter = Counter(
                label: "offersigner_signatures_against_advice_total", dimensions: [("app", app), ("code", code)],
                factory: factory)
            state.advice[advice] = counter
            return counter
        }
        counter.increment()
    }
}

extension ServiceMetrics: LedgerObserver {
    func ledgerDidCommit(submissions: Int, duration: Duration) {
        batchSize.record(submissions)
        commitTime.record(duration: duration)
    }

    func ledgerQueueChanged(depth: Int) { queueDepth.set(depth) }

    func ledgerDidFail(_: StoreError) { commitFailures.increment() }

    func ledgerDidCheckpoint(_ pause: Result<Duration, StoreError>) {
        switch pause {
        case .success(let pause): checkpointPause.record(duration: pause)
        case .failure: checkpointFailures.increment()
        }
    }
}
