import Logging
import NIOCore
import OfferHTTP
import Synchronization

/// Counts refused headers of the sign-in proxy, and logs them once in a while.
final class ProxySignInMetrics: ProxySignInObserver {
    // The time between two log lines about refusals, so that a client that sends thousands of headers does not fill the log.
    private static let quiet = TimeAmount.seconds(60)

    private let refused: PrometheusMetric<PrometheusCounter>
    private let lastReported = Mutex<[ProxySignIn.Refusal: NIODeadline]>([:])
    private let logger: Logger

    init(_ registry: PrometheusRegistry, logger: Logger) {
        self.logger = logger
        refused = registry.counter("offersigner_console_proxy_headers_refused_total", "reason")
        for refusal in ProxySignIn.Refusal.allCases { refused.of(refusal.rawValue) }
    }

    func didRefuse(_ refusal: ProxySignIn.Refusal, from peer: String) {
        refused.of(refusal.rawValue).increment()
        guard mayReport(refusal) else { return }
        logger.warning(
            "a header of the sign-in proxy does not count", metadata: ["reason": "\(refusal.rawValue)", "address": "\(peer)"])
    }

    private func mayReport(_ refusal: ProxySignIn.Refusal) -> Bool {
        lastReported.withLock { lastReported in
            let now = NIODeadline.now()
            if let last = lastReported[refusal], now < last + Self.quiet { return false }
            lastReported[refusal] = now
            return true
        }
    }
}
