package import OfferStore
import ServiceLifecycle

/// Verifies the audit log continuously while the service runs, with a small part of a processor.
///
/// It does not check the signatures of seals. The sealer knows the last seal that it made, and each seal is linked to the one
/// before it, so a replaced seal is found even without checking signatures.
package struct AuditWatch: Service {
    /// Reading this many rows takes some hundredths of a second.
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
    ///   - keys: the key ring. When a fault is found, it compares the decisions about keys with the log at once.
    ///   - percent: the share of one processor that the verification may use, 1…100.
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
