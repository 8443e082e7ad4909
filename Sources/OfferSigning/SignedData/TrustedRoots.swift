/// The trusted root certificates of signed data.
public struct TrustedRoots: Sendable {
    private enum Anchors {
        case pinned(fingerprint: [UInt8])
        case configured([Certificate])
    }

    private let anchors: Anchors

    /// Apple Root CA – G3, identified by the SHA-256 of the certificate, which all data of the App Store contains.
    ///
    /// Source: https://www.apple.com/certificateauthority/
    public static let appleRootCAG3 = TrustedRoots(
        pinnedFingerprint: [
            0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7, 0xBE,
            0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E, 0x91, 0x79,
        ])

    /// Reads roots from files, each with one certificate in DER or any number in PEM.
    ///
    /// May include certificates of local tests. Throws `unusable-trusted-root`, with the number of the file, if a file is
    /// neither, or there is no certificate at all.
    public init(pemOrDERFiles contents: [[UInt8]]) throws(SignedDataError) {
        var certificates: [Certificate] = []
        for (index, content) in contents.enumerated() {
            certificates += try CertificateFile(content, name: "root certificate file \(index + 1)").certificates()
        }
        guard !certificates.isEmpty else {
            throw SignedDataError(.unusableTrustedRoot, "no root certificate file is given")
        }
        anchors = .configured(certificates)
    }

    /// Trusts the root with this SHA-256, which the data must contain.
    init(pinnedFingerprint: [UInt8]) { anchors = .pinned(fingerprint: pinnedFingerprint) }

    /// The trusted roots for a chain that contains this root.
    func anchors(presented root: Certificate) -> [Certificate] {
        switch anchors {
        case .pinned(let fingerprint): root.fingerprint == fingerprint ? [root] : []
        case .configured(let certificates): certificates
        }
    }

    /// The configured certificate with exactly these bytes.
    func configured(der: [UInt8]) -> Certificate? {
        guard case .configured(let certificates) = anchors else { return nil }
        return certificates.first { $0.der == der }
    }
}
