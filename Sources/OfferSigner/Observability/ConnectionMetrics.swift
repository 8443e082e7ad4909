import Logging
import Metrics
import NIOCore
import OfferHTTP
import Synchronization

/// Counts connections, and logs refusals once in a while.
final class ConnectionMetrics: ConnectionObserver {
    // A flood of connections must not flood the log.
    private static let quiet = TimeAmount.seconds(60)

    private let open: Meter
    private let refused: [ConnectionLimit.Refusal: Counter]
    private let failures: Counter
    private let count = Atomic(0)
    private let lastReported = Mutex<[String: NIODeadline]>([:])
    private let logger: Logger

    init(factory: any MetricsFactory, logger: Logger) {
        self.logger = logger
        open = Meter(label: "offersigner_http_connections", factory: factory)
        let name = "offersigner_http_connections_refused_total"
        let refusals: [ConnectionLimit.Refusal] = [.total, .address]
        let counters = refusals.map { Counter(label: name, dimensions: [("limit", $0.rawValue)], factory: factory) }
        refused = Dictionary(uniqueKeysWithValues: zip(refusals, counters))
        failures = Counter(label: "offersigner_http_accept_failures_total", factory: factory)
        open.set(0)
        failures.increment(by: 0)
        for counter in counters { counter.increment(by: 0) }
    }

    func didOpenConnection() { open.set(count.add(1, ordering: .relaxed).newValue) }

    func didCloseConnection() { open.set(count.subtract(1, ordering: .relaxed).newValue) }

    func didRefuseConnection(_ refusal: ConnectionLimit.Refusal) {
        refused[refusal]?.increment()
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
