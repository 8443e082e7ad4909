import WireText

/// A text with Ed25519 signatures, in the form of C2SP's signed-note.
public struct SignedNote: Equatable, Sendable {
    /// A signature of a note.
    package struct Signature: Equatable, Sendable {
        package let name: String
        /// The first four bytes of SHA-256 over name and key.
        package let keyHash: [UInt8]
        package let bytes: [UInt8]
    }

    private static let dash = "\u{2014} "
    private static let ed25519: UInt8 = 1
    private static let hashLength = 4

    /// The signed text, with its last line feed.
    public let text: String
    package let signatures: [Signature]

    package init(text: String, signatures: [Signature]) {
        self.text = text
        self.signatures = signatures
    }

    /// Parses a whole note; nil if it is malformed.
    package init?(_ note: String) {
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "", let end = lines.lastIndex(where: { !$0.hasPrefix(Self.dash) && !$0.isEmpty }),
            lines.count > end + 3, lines[end + 1].isEmpty
        else { return nil }
        var signatures: [Signature] = []
        for line in lines[(end + 2)...].dropLast() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, let bytes = Base64.decode(words[2].utf8), bytes.count > Self.hashLength else { return nil }
            signatures.append(
                Signature(
                    name: String(words[1]), keyHash: Array(bytes.prefix(Self.hashLength)),
                    bytes: Array(bytes.dropFirst(Self.hashLength))))
        }
        guard !signatures.isEmpty else { return nil }
        self.init(text: lines[...end].map { "\($0)\n" }.joined(), signatures: signatures)
    }

    /// The whole note.
    public var note: String {
        let lines = signatures.map { "\(Self.dash)\($0.name) \(Base64.encode($0.keyHash + $0.bytes))\n" }
        return "\(text)\n\(lines.joined())"
    }

    /// The hash that distinguishes a key from others of the same name.
    package static func keyHash(_ publicKey: [UInt8], name: String, _ functions: AuditFunctions) -> [UInt8] {
        Array(functions.link(of: Array(name.utf8) + [10, ed25519] + publicKey).bytes.prefix(hashLength))
    }
}
