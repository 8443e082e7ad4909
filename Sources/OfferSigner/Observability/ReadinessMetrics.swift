import OfferService
import Synchronization

/// Whether the service is ready, check by check, as `/readyz` says it.
struct ReadinessMetrics: Sendable {
    // Prometheus gives up after ten seconds, and then has no metric at all.
    private static let patience = Duration.seconds(2)

    let checks: [ReadinessCheck]

    /// Runs every check. One that takes longer than two seconds counts as failed: a store that hangs is no store.
    func samples() async -> [MetricSample] {
        await withTaskGroup(of: (String, Bool).self) { group in
            for check in checks { group.addTask { (check.name, await Self.passes(check)) } }
            return await group.reduce(into: []) { samples, finding in
                samples.append(
                    MetricSample(
                        name: "offersigner_ready", labels: [MetricSample.Label("check", finding.0)], value: finding.1 ? 1 : 0))
            }
        }
    }

    private static func passes(_ check: ReadinessCheck) async -> Bool {
        await withCheckedContinuation { continuation in
            // Whichever ends first answers. A check cannot be cancelled, so it may outlast the answer.
            let waiting = Mutex<CheckedContinuation<Bool, Never>?>(continuation)
            let answer = { @Sendable (passed: Bool) in waiting.withLock { $0.take() }?.resume(returning: passed) }
            let patience = Task { if (try? await Task.sleep(for: Self.patience)) != nil { answer(false) } }
            Task {
                answer((try? await check.run()) != nil)
                patience.cancel()
            }
        }
    }
}
