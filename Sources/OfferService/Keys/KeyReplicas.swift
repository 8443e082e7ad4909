import OfferSigning
import OfferStore

/// Checks that every replica has loaded a key before the key signs.
struct KeyReplicas: Sendable {
    /// How often the replicas are looked at before the check fails. There is a heartbeat between two looks.
    ///
    /// This is enough time for each replica to load a new file and to report it.
    private static let maxLooks = 3

    let store: any ReplicaStore
    let system: SystemEnvironment

    /// Throws if a living replica lacks a key that becomes active.
    func check(_ changes: [KeyStates.Change], among entries: [KeyRing.Entry]) async throws {
        let ids = Set(changes.filter { $0.state == .active }.map(\.keyID))
        for entry in entries where ids.contains(entry.key.id) {
            let key = Replica.Key(id: entry.key.id, fingerprint: entry.key.fingerprint)
            for look in 1... {
                let lacking = try await store.roll().living.filter { !$0.keys.contains(key) }
                guard !lacking.isEmpty else { break }
                guard look < Self.maxLooks else { throw KeyError.notEverywhere(key.id, lacking.map(\.address)) }
                try await system.sleep(.seconds(1))
            }
        }
    }
}
