import EligibilityRules
package import OfferSigning
import OfferStore
import WireText

/// An access key as its owner holds it: `osk_<id>_<secret>`.
package struct AccessToken {
    private static let prefix = "osk_"
    private static let idBytes = 8
    private static let secretBytes = 32
    private static let longest = 256

    package let id: String
    package let secret: [UInt8]

    /// The whole key as text. Only the owner receives it, and only when the key is made.
    package var text: String { "\(AccessToken.prefix)\(id)_\(String(decoding: secret, as: UTF8.self))" }

    /// Makes a new key: an id of 16 hexadecimal digits and a secret of 256 bits.
    package static func generate() throws(SigningError) -> AccessToken {
        var secret: [UInt8] = []
        Base64.appendURLSafe(try Crypto.randomBytes(secretBytes), to: &secret)
        return AccessToken(
            id: Crypto.hexadecimal(try Crypto.randomBytes(idBytes)),
            secret: secret
        )
    }

    /// Reads an access key; nil if the text does not have the form of one.
    package init?(_ text: Substring) {
        var text = text
        let parts = text.withUTF8 { bytes -> (id: String, secret: [UInt8])? in
            guard bytes.count <= AccessToken.longest, bytes.starts(with: AccessToken.prefix.utf8) else { return nil }
            let rest = bytes[AccessToken.prefix.utf8.count...]
            guard let split = rest.firstIndex(of: UInt8(ascii: "_")) else { return nil }
            return (String(decoding: rest[..<split], as: UTF8.self), Array(rest[(split + 1)...]))
        }
        guard let parts else { return nil }
        self.init(id: parts.id, secret: parts.secret)
    }

    private init(id: String, secret: [UInt8]) {
        self.id = id
        self.secret = secret
    }

    /// SHA-256 of the secret, which the store keeps.
    package var digest: [UInt8] { Crypto.sha256(secret) }
}
