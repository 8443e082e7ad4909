/// Secrets that all replicas share and that exist only in the store.
public protocol SecretStore: Sendable {
    /// The secret of this name. If there is none, the first caller stores what `make` returns.
    func secret(named name: String, make: @Sendable () throws -> [UInt8]) async throws -> [UInt8]

    /// Removes the secret of this name. The next caller creates a new one.
    func remove(named name: String) async throws(StoreError)
}
