import FoundationEssentials
package import OfferSigning
package import OfferStore

/// The audit keys in the key folder. The one with the highest number seals; the others verify what they have sealed.
package struct AuditKeyFolder: Sendable {
    package let directory: String

    package init(directory: String) { self.directory = directory }

    /// Every key, by number. Throws a `SigningError` for one that cannot be used.
    package func keys() throws(SigningError) -> [(number: Int, key: Ed25519Key)] {
        var keys: [(number: Int, key: Ed25519Key)] = []
        for number in numbers {
            keys.append((number, try AuditKeyFile(folder: directory, number: number).load()))
        }
        return keys
    }

    /// The highest number in the names of the key files; 0 if there are none. The files themselves are not read.
    func lastNumber() -> Int { numbers.last ?? 0 }

    private var numbers: [Int] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).compactMap(AuditKeyFile.number).sorted()
    }

    /// Makes the first key if there is none. Returns true if it did.
    package func makeFirst() throws(SigningError) -> Bool {
        guard try keys().isEmpty else { return false }
        return try AuditKeyFile(folder: directory, number: 1).create(Ed25519Key())
    }

    /// The signer with the key that seals; nil if there is none.
    package func signer() throws(SigningError) -> AuditSigner? {
        let keys = try keys()
        guard let key = keys.last?.key else { return nil }
        return AuditSigner(publicKey: key.publicKey, trust: .openSSL(keys.map(\.key.publicKey))) { try key.sign($0) }
    }

    /// The trusted public keys: those of all keys in the folder.
    package func trust() throws(SigningError) -> AuditTrust { .openSSL(try keys().map(\.key.publicKey)) }
}

extension AuditTrust {
    /// Trusts these public keys. OpenSSL verifies the signatures.
    package static func openSSL(_ keys: [[UInt8]]) -> AuditTrust {
        AuditTrust(keys: keys) { Ed25519Key.isValid(signature: $0, of: $1, by: $2) }
    }
}
