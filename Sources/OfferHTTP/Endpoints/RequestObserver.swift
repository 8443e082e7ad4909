/// Observes every finished request, for the log and the metrics.
package protocol RequestObserver: Sendable {
    func didFinish(_ summary: RequestSummary)
}
