import Logging
import NIOCore
import OfferHTTP
import Synchronization

/// Counts connections, and logs refusals once in a while.
final class ConnectionMetrics: ConnectionObserver {
    // The time between two log lines about refusals, so that a flood of connections does not flood the log.
    private static let quiet = TimeAmount.seconds(60)

    private let open: PrometheusGauge
    private let refused: PrometheusMetric<PrometheusCounter>
    private let failures: PrometheusCounter
    private let count = Atomic(0)
    private let lastReported = Mutex<[String: NIODeadline]>([:])
    private let logger: Logger

    init(_ registry: PrometheusRegistry, logger: Logger) {
        self.logger = logger
        open = registry.gauge("offersigner_http_connections").of()
        refused = registry.counter("offersigner_http_connections_refused_total", "limit")
        failures = registry.counter("offersigner_http_accept_failures_total").of()
        for refusal in [ConnectionLimit.Refusal.total, .address] { refused.of(refusal.rawValue) }
    }

    func didOpenConnection() { open.set(count.add(1, ordering: .relaxed).newValue) }

    func didCloseConnection() { open.set(count.subtract(1, ordering: .relaxed).newValue) }

    func didRefuseConnection(_ refusal: ConnectionLimit.Refusal) {
        refused.of(refusal.rawValue).increment()
        guard mayReport(refusal.rawValue) else { return }
        let key = refusal == .total ? "http.connections" : "http.connectionsPerAddress"
        logger.warning("connections are turned away", metadata: ["limit": "\(key)"])
    }

    func didFailToAccept(_ reason: String) {
        failures.increment()
        guard mayReport("accept") else { return }
        logger.error("connections cannot be accepted and have to wait", metadata: ["reason": "\(reason)"])
    }

    private func mayReport(_ what: String) -> Bool {
        lastReported.withLock { lastReported in
            let now = NIODeadline.now()
            if let last = lastReported[what], now < last + ConnectionMetrics.quiet { return false }
            lastReported[what] = now
            return true
        }
    }
}
