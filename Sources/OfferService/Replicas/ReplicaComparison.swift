package import EligibilityRules
package import OfferStore

/// A replica, and in what it differs from the others.
package struct ReplicaComparison: Equatable, Sendable {
    /// A difference between a replica and the majority of the living replicas.
    package enum Difference: String, CaseIterable, Sendable {
        case version, configuration, keys
        /// The clock of the replica differs from the store's clock by more than signing allows.
        case clock

        /// What the difference leads to, and what to do about it.
        package var sentence: String {
            switch self {
            case .version: "another version of the program; this is normal during a rolling upgrade"
            case .configuration: "another configuration; give all replicas the same, except for their addresses"
            case .keys: "other signing keys; copy the key folder to all replicas"
            case .clock: "a clock that differs from the database's; it signs nothing until the clock is correct"
            }
        }
    }

    private let entry: ReplicaRoll.Entry
    package let isAlive: Bool
    /// In what the replica differs; empty if the replica is dead.
    package let differences: [Difference]

    private var replica: Replica { entry.replica }

    /// The id of the process. It is another one after each start.
    package var id: String { replica.id }
    /// The name of the host, and the port.
    package var address: String { replica.address }
    package var version: String { replica.version }
    package var startedAt: Instant { replica.startedAt }
    /// When the last heartbeat was written, by the store's clock.
    package var lastHeartbeatAt: Instant { entry.lastHeartbeatAt }
    package var configurationDigest: String { replica.configurationDigest }
    /// The keys of the replica, in the order of their ids.
    package var keys: [(id: String, fingerprint: String)] { replica.keys.map { ($0.id, $0.fingerprint) } }
    /// How far the replica's clock is ahead of the store's, in ms; nil if they were not compared yet.
    package var clockOffset: Int64? { replica.clockOffset }

    /// Compares every replica in the roll with the value that more than half of the living replicas have.
    ///
    /// If no value has such a majority, every replica counts as different.
    package static func all(_ roll: ReplicaRoll) -> [ReplicaComparison] {
        let living = roll.living
        let version = common(living.map(\.version))
        let configuration = common(living.map(\.configurationDigest))
        let keys = common(living.map(\.keys))
        return roll.entries.map { entry in
            let (isAlive, replica) = (roll.isAlive(entry), entry.replica)
            let differences = Difference.allCases.filter { difference in
                switch difference {
                case .version: replica.version != version
                case .configuration: replica.configurationDigest != configuration
                case .keys: replica.keys != keys
                case .clock: replica.clockOffset.map { $0.magnitude > SigningClock.tolerance } ?? false
                }
            }
            return ReplicaComparison(entry: entry, isAlive: isAlive, differences: isAlive ? differences : [])
        }
    }

    /// The value that more than half of the elements have; nil if there is none.
    private static func common<Value: Hashable>(_ values: [Value]) -> Value? {
        Dictionary(grouping: values) { $0 }.first { $0.value.count * 2 > values.count }?.key
    }
}
