import WireText

/// A certificate chain of one's own, with the key of its leaf. It signs data as the App Store does, to test a service that trusts
/// the chain's root.
public struct TestChain: Sendable {
    private let key: SigningKey
    /// The JWS header in base64url.
    private let header: [UInt8]

    /// - Parameters:
    ///   - certificates: the leaf, the intermediate and the root, in PEM.
    ///   - key: the private key of the leaf.
    public init(certificates: [UInt8], key: SigningKey) throws(SignedDataError) {
        let chain = try CertificateFile(certificates, name: "the certificate file").certificates()
        guard chain.count == 3 else {
            throw SignedDataError(
                .malformedCertificateChain,
                "the certificate file has \(chain.count) certificates; it needs leaf, intermediate and root, in this order")
        }
        self.key = key
        let json = JSONWriter.bytes { json in
            json.append(raw: #"{"alg":"ES256","x5c":["#)
            for (index, certificate) in chain.enumerated() {
                json.append(raw: index == 0 ? "\"" : ",\"")
                json.append(base64: certificate.der)
                json.append(raw: "\"")
            }
            json.append(raw: "]}")
        }
        var header: [UInt8] = []
        Base64.appendURLSafe(json, to: &header)
        self.header = header
    }

    /// Returns a compact JWS whose payload is this JSON text.
    public func sign(_ json: [UInt8]) throws(SigningError) -> String {
        var text = header + [UInt8(ascii: ".")]
        Base64.appendURLSafe(json, to: &text)
        return try SigningKey.compactJWS(text, key.sign(text))
    }
}
