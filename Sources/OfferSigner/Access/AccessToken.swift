import EligibilityRules
import OfferSigning
import OfferStore

/// An access key as its owner holds it: `osk_<id>_<secret>`.
struct AccessToken {
    private static let prefix = "osk_"
    private static let idBytes = 8
    private static let secretBytes = 32

    let id: String
    let secret: String

    /// The text to hand over, once.
    var text: String { "\(AccessToken.prefix)\(id)_\(secret)" }

    /// Makes a new key: an id of 16 hexadecimal digits and a secret of 256 bits.
    static func generate(_ system: SystemEnvironment) throws(SigningError) -> AccessToken {
        var secret: [UInt8] = []
        Base64.appendURLSafe(try system.randomBytes(secretBytes), to: &secret)
        return AccessToken(
            id: Crypto.hexadecimal(try system.randomBytes(idBytes)),
            secret: String(decoding: secret, as: UTF8.self)
        )
    }

    /// Reads a token; nil if it has another form.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 256, text.hasPrefix(AccessToken.prefix) else { return nil }
        let rest = text.utf8.dropFirst(AccessToken.prefix.utf8.count)
        guard let split = rest.firstIndex(of: UInt8(ascii: "_")) else { return nil }
        self.init(id: String(decoding: rest[..<split], as: UTF8.self), secret: String(decoding: rest[rest.index(after: split)...], as: UTF8.self))
    }

    private init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// What is kept of the secret.
    var digest: [UInt8] { Crypto.sha256(secret.utf8) }
}
