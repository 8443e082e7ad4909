/// The keys whose seals are trusted.
public struct AuditTrust: Sendable {
    /// Trusted public keys, each of 32 bytes. Keys certified by one of them are trusted, too.
    public let keys: [[UInt8]]
    /// Whether an Ed25519 signature of a message was made with the key.
    public let isValid: @Sendable (_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> Bool

    /// Stores the given values without checking them.
    public init(
        keys: [[UInt8]],
        isValid: @escaping @Sendable (_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> Bool
    ) {
        self.keys = keys
        self.isValid = isValid
    }

    /// Whether one of the keys has signed a note.
    package func isSigned(_ note: SignedNote, by keys: some Sequence<[UInt8]>, name: String, _ functions: AuditFunctions) -> Bool
    {
        let message = Array(note.text.utf8)
        return keys.contains { key in
            let hash = SignedNote.keyHash(key, name: name, functions)
            return note.signatures.contains { $0.keyHash == hash && $0.name == name && isValid($0.bytes, message, key) }
        }
    }
}
