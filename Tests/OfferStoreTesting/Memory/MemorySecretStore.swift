package import OfferStore
import Synchronization

/// Secrets that are forgotten with the process.
package final class MemorySecretStore: SecretStore {
    private let secrets = Mutex<[String: [UInt8]]>([:])

    /// An empty one.
    package init() {}

    package func secret(named name: String, make: @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        let proposal = try make()
        return secrets.withLock { secrets in
            secrets[name] = secrets[name] ?? proposal
            return secrets[name]!
        }
    }

    package func remove(named name: String) async throws(StoreError) { secrets.withLock { $0[name] = nil } }
}
