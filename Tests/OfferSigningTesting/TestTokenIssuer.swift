import Foundation
package import OfferSigning
import WireText

/// Signs tokens with keys that the `openssl` program makes and uses, and publishes their public halves.
package final class TestTokenIssuer: Sendable {
    /// `iss` of its tokens.
    package static let name = "https://accounts.example.com/"
    /// `aud` of its tokens.
    package static let audience = "example-ios"

    private let folder: TemporaryFolder

    /// Knows no key yet.
    package init() throws { folder = try TemporaryFolder() }

    /// Makes a key; returns it as a JSON Web Key.
    package func makeKey(_ id: String, _ algorithm: TokenAlgorithm) throws -> String {
        switch algorithm {
        case .es256:
            try folder.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", id)
            let point = try publicDER(id).suffix(64)
            return jwk(id, algorithm, ["kty": "EC", "crv": "P-256", "x": url(point.prefix(32)), "y": url(point.suffix(32))])
        case .rs256:
            try folder.openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", id)
            // RSAPublicKey ends with the modulus, 256 bytes, and the exponent 65537.
            let number = try publicDER(id).dropLast(5).suffix(256)
            return jwk(id, algorithm, ["kty": "RSA", "n": url(number), "e": "AQAB"])
        case .edDSA:
            try folder.openssl("genpkey", "-algorithm", "ED25519", "-out", id)
            return jwk(id, algorithm, ["kty": "OKP", "crv": "Ed25519", "x": url(try publicDER(id).suffix(32))])
        }
    }

    /// A token with these claims.
    ///
    /// - Parameter claims: more than `iss` and `aud`, or others: `"sub":"u-1","exp":1`.
    package func token(_ id: String, _ algorithm: TokenAlgorithm, claims: String) throws -> String {
        let header = #"{"alg":"\#(algorithm.rawValue)","kid":"\#(id)"}"#
        let payload = #"{"iss":"\#(Self.name)","aud":"\#(Self.audience)",\#(claims)}"#
        let signed = "\(url(Array(header.utf8))).\(url(Array(payload.utf8)))"
        let name = UUID().uuidString
        try folder.write(signed, to: name)
        defer { try? FileManager.default.removeItem(atPath: folder.path(name)) }
        return "\(signed).\(url(try signature(of: name, id, algorithm)))"
    }

    private func signature(of name: String, _ id: String, _ algorithm: TokenAlgorithm) throws -> [UInt8] {
        let made = "\(name).signature"
        defer { try? FileManager.default.removeItem(atPath: folder.path(made)) }
        if algorithm == .edDSA {
            try folder.openssl("pkeyutl", "-sign", "-rawin", "-inkey", id, "-in", name, "-out", made)
        } else {
            try folder.openssl("dgst", "-sha256", "-sign", id, "-out", made, name)
        }
        let bytes = Array(try Data(contentsOf: folder.url.appending(path: made)))
        return algorithm == .es256 ? Signature.raw(fromDER: bytes) ?? [] : bytes
    }

    private func publicDER(_ id: String) throws -> [UInt8] {
        try folder.openssl("pkey", "-in", id, "-pubout", "-outform", "DER", "-out", "\(id).der")
        return Array(try Data(contentsOf: folder.url.appending(path: "\(id).der")))
    }

    private func jwk(_ id: String, _ algorithm: TokenAlgorithm, _ members: [String: String]) -> String {
        let all = members.merging(["kid": id, "alg": algorithm.rawValue, "use": "sig"]) { first, _ in first }
        return "{" + all.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",") + "}"
    }

    private func url(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        Base64.appendURLSafe(Array(bytes), to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
