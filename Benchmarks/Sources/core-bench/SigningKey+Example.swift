import FoundationEssentials
import OfferSigning

extension SigningKey {
    /// Reads a file that every user may read: the example key, which is worth nothing.
    static func example(_ path: String) throws -> SigningKey {
        let pem = try Data(contentsOf: URL(filePath: path))
        return try pem.withUnsafeBytes { try SigningKey(id: "EXAMPLE123", pem: $0, passphrase: nil, slots: 1) }
    }
}
