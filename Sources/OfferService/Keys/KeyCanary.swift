package import EligibilityRules
import OfferSigning
import ServiceLifecycle
import Synchronization

/// Signs with every key from time to time and verifies the signature, so that a key that fails is found before a customer needs
/// it.
package final class KeyCanary: Service {
    /// The result of the last test of a key.
    package enum Finding: Equatable, Sendable {
        case verified(at: Instant)
        case failed(at: Instant, reason: String)
    }

    private let keys: CurrentKeyRing
    private let interval: Duration
    private let system: SystemEnvironment
    private let failures: FailureLog
    private let findings = Mutex<[String: Finding]>([:])

    /// - Parameter interval: the time between two rounds.
    package init(
        keys: CurrentKeyRing,
        interval: Duration = .seconds(60),
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.keys = keys
        self.interval = interval
        self.system = system
        self.failures = failures
    }

    /// Tests the keys every interval until the service stops.
    package func run() async throws {
        await system.rounds {
            self.testOnce()
            await self.compareDecisions()
            return self.interval
        }
    }

    /// The result of the last test of a key; nil before the first test.
    package func finding(_ keyID: String) -> Finding? { findings.withLock { $0[keyID] } }

    /// Compares the decisions with the audit log. The feed does not report a change that another program has made in the store.
    private func compareDecisions() async {
        do {
            try await keys.compareDecisions()
        } catch {
            failures.note("the decisions about signing keys could not be compared with the audit log", .of(error))
        }
    }

    /// Tests every key that is not revoked in all its apps.
    func testOnce() {
        let ring = keys.current
        for entry in ring.entries where ring.bundleIDs.contains(where: { entry.serves($0) && entry.state(in: $0) != .revoked }) {
            let finding: Finding
            do throws(SigningError) {
                // A hardware module is only asked whether it is available, because each of its signatures is verified anyway.
                try entry.key.selfTest()
                finding = .verified(at: system.now())
            } catch {
                finding = .failed(at: system.now(), reason: "\(error)")
                failures.note("a signing key fails its test", .of(error))
            }
            findings.withLock { $0[entry.key.id] = finding }
        }
        let ids = Set(ring.entries.map(\.key.id))
        findings.withLock { $0 = $0.filter { ids.contains($0.key) } }
    }
}
