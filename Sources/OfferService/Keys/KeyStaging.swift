/// The place for new signing keys.
package protocol KeyStaging: Sendable {
    /// Puts a key into the folder, whole or not at all, after checking it as if it were loaded.
    ///
    /// Throws a `KeyError`.
    ///
    /// - Parameter known: the ids of the existing keys, by fingerprint.
    func stage(_ pem: SecretBytes, keyID: String, unlike known: [String: String]) async throws
}
