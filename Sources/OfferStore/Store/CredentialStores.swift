/// The stores of what proves who a caller is, and of what signs.
public struct CredentialStores: Sendable {
    /// Access keys.
    public let access: any AccessStore
    /// Sessions of the console.
    public let sessions: any SessionStore
    /// Decisions about signing keys, and their use.
    public let keys: any KeyStore
    /// Shared secrets.
    public let secrets: any SecretStore

    /// Takes the parts of one file.
    public init(access: any AccessStore, sessions: any SessionStore, keys: any KeyStore, secrets: any SecretStore) {
        self.access = access
        self.sessions = sessions
        self.keys = keys
        self.secrets = secrets
    }
}
