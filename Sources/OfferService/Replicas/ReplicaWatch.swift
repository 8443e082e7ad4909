import EligibilityRules
package import Logging
import OfferSigning
package import OfferStore
import ServiceLifecycle
import Synchronization

/// Every second, reports to the other replicas that this one is alive and what it has loaded, and reads the same about them.
package final class ReplicaWatch: Service {
    private struct State {
        var clockOffset: Int64?
        var comparisons: [ReplicaComparison] = []
    }

    private static let interval = Duration.seconds(1)

    private let own: @Sendable () -> Replica
    private let store: any ReplicaStore
    private let keys: CurrentKeyRing
    private let clock: SigningClock
    private let count: ReplicaCount
    private let system: SystemEnvironment
    private let failures: FailureLog
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - own: describes this process as it is now. Its keys and the offset of its clock are added at each heartbeat.
    ///   - clock: receives how far it is ahead of the store's clock.
    ///   - count: receives the number of living replicas.
    package init(
        _ own: @escaping @Sendable () -> Replica,
        store: any ReplicaStore,
        keys: CurrentKeyRing,
        clock: SigningClock,
        count: ReplicaCount,
        system: SystemEnvironment,
        failures: FailureLog,
        logger: Logger
    ) {
        self.own = own
        self.store = store
        self.keys = keys
        self.clock = clock
        self.count = count
        self.system = system
        self.failures = failures
        self.logger = logger
    }

    /// All replicas, as they were at the last heartbeat.
    package var comparisons: [ReplicaComparison] { state.withLock(\.comparisons) }

    /// Sends heartbeats until the service stops, and then removes this process from the roll.
    package func run() async throws {
        await system.rounds { [self] in
            await beat()
            return Self.interval
        }
        try? await store.leave(own().id)
    }

    /// Sends one heartbeat.
    ///
    /// If the store is unavailable, what was last known of the other replicas remains.
    package func beat() async {
        var replica = own()
        replica.keys = keys.current.entries.map { Replica.Key(id: $0.key.id, fingerprint: $0.key.fingerprint) }
            .sorted { $0.id < $1.id }
        replica.clockOffset = state.withLock(\.clockOffset)
        let sent = system.now()
        do {
            let roll = try await store.beat(replica)
            take(roll, offset: Self.offset(of: roll.now, between: sent, and: system.now()))
        } catch {
            if !Task.isCancelled { failures.note("this replica's heartbeat cannot be written", .of(error)) }
        }
    }

    /// How far this machine's clock is ahead of the store's, in ms.
    ///
    /// The store read its clock at an unknown moment between `sent` and `received`, so several differences are possible. The
    /// result is the smallest of them.
    static func offset(of time: Instant, between sent: Instant, and received: Instant) -> Int64 {
        let (least, most) = (sent.milliseconds - time.milliseconds, received.milliseconds - time.milliseconds)
        return least > 0 ? least : min(most, 0)
    }

    private func take(_ roll: ReplicaRoll, offset: Int64) {
        clock.take(offset: offset)
        count.set(roll.living.count)
        let comparisons = ReplicaComparison.all(roll)
        let before = state.withLock { state in
            defer { state = State(clockOffset: offset, comparisons: comparisons) }
            return state.comparisons
        }
        report(comparisons, before)
    }

    private func report(_ comparisons: [ReplicaComparison], _ before: [ReplicaComparison]) {
        for comparison in comparisons {
            let earlier = before.first { $0.id == comparison.id && $0.isAlive }
            let metadata: Logger.Metadata = ["replica": "\(comparison.address)", "id": "\(comparison.id)"]
            if !comparison.isAlive, earlier != nil {
                logger.warning("a replica sends no heartbeat any more", metadata: metadata)
            }
            for difference in comparison.differences where earlier?.differences.contains(difference) != true {
                logger.warning(
                    "a replica differs from the others", metadata: metadata.merging(["reason": "\(difference.sentence)"]) { $1 })
            }
        }
    }
}
