/// Secrets that all replicas share and that exist only here.
public protocol SecretStore: Sendable {
    /// The secret of this name; `make` provides it the first time, whoever comes first.
    func secret(named name: String, make: @Sendable () throws -> [UInt8]) async throws -> [UInt8]

    /// Removes the secret of this name: the next caller makes another one.
    func remove(named name: String) async throws(StoreError)
}
