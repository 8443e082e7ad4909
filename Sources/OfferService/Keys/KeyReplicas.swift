import OfferSigning
import OfferStore

/// Looks whether a key that is to sign is loaded wherever it may be asked to.
struct KeyReplicas: Sendable {
    /// Within so many looks, each a heartbeat after the other, a file that has just come is loaded and told of.
    private static let maxLooks = 3

    let store: any ReplicaStore
    let system: SystemEnvironment

    /// Throws where a replica that lives lacks a key which becomes active.
    func check(_ changes: [KeyStanding.Change], among entries: [KeyRing.Entry]) async throws {
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
