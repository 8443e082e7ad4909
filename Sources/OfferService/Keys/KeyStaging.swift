/// The place for new signing keys.
package protocol KeyStaging: Sendable {
    /// Puts a key into the folder, whole or not at all, after checking it as if it were loaded.
    ///
    /// Returns the key's fingerprint. Throws a `KeyError`.
    ///
    /// - Parameters:
    ///   - known: the ids of the existing keys, by fingerprint.
    ///   - recorded: the fingerprint that was recorded for the id; nil for none. A file that is there already, and has this key in
    ///     place of the recorded one, is accepted as it is.
    func stage(_ pem: SecretBytes, keyID: String, unlike known: [String: String], recorded: String?) async throws -> String
}
