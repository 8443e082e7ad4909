package import OfferStore
import ServiceLifecycle

/// Verifies the audit log continuously while the service runs, with a small part of a processor.
///
/// It checks no signatures of seals: the sealer knows its own last seal, and all others lead to it.
package struct AuditWatch: Service {
    /// A step takes some hundredths of a second.
    private static let rowsPerStep: Int64 = 5_000
    private static let leastRest = Duration.seconds(1)

    private let store: any AuditStore
    private let sealer: AuditSealer
    private let keys: CurrentKeyRing
    private let percent: Int64
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameters:
    ///   - sealer: receives the findings.
    ///   - keys: compares its decisions with the log as soon as something is found.
    ///   - percent: of one processor, 1…100.
    package init(
        store: any AuditStore,
        sealer: AuditSealer,
        keys: CurrentKeyRing,
        percent: Int64,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.store = store
        self.sealer = sealer
        self.keys = keys
        self.percent = percent
        self.system = system
        self.failures = failures
    }

    /// Verifies until the service stops.
    package func run() async throws {
        await system.rounds {
            await verifyOnce()
            return Self.leastRest
        }
    }

    /// Verifies the whole log once.
    func verifyOnce(rowsPerStep: Int64 = rowsPerStep) async {
        var walk = store.walk(.openSSL([]))
        do throws(StoreError) {
            while !walk.isOver, !Task.isCancelled {
                let start = ContinuousClock.now
                walk = try await store.step(walk, limit: rowsPerStep)
                if walk.isOver { await take(walk.fault) }
                try? await system.sleep((ContinuousClock.now - start) * (100 - percent) / percent)
            }
        } catch {
            failures.note("the audit log could not be verified", .of(error))
        }
    }

    private func take(_ fault: AuditFault?) async {
        await sealer.take(fault)
        guard fault != nil else { return }
        do {
            try await keys.compareDecisions()
        } catch {
            failures.note("the decisions about signing keys could not be compared with the audit log", .of(error))
        }
    }
}
