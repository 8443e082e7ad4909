import OfferService
import Synchronization

/// Reports for each check of `/readyz` whether it passes.
struct ReadinessMetrics: Sendable {
    // The longest time of a check. Prometheus gives up after ten seconds, and would then have no metric at all.
    private static let patience = Duration.seconds(2)

    let checks: [ReadinessCheck]

    /// Runs every check. One that takes longer than two seconds counts as failed, because a store that hangs cannot be used.
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
            // The check or the time limit answers, whichever comes first. A check cannot be cancelled, so it may run on.
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
