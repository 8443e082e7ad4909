/// The place where new signing keys are put.
package protocol KeyStaging: Sendable {
    /// Checks a key as if it were being loaded, and then puts it into the folder, whole or not at all.
    ///
    /// Returns the key's fingerprint. Throws a `KeyError`.
    ///
    /// - Parameters:
    ///   - known: the ids of the existing keys, by fingerprint.
    ///   - recorded: the fingerprint that was recorded for this id; nil if none was. If the folder has a file of this id with the
    ///     new key instead of the recorded one, the file is accepted as it is.
    func stage(_ pem: SecretBytes, keyID: String, unlike known: [String: String], recorded: String?) async throws -> String
}
