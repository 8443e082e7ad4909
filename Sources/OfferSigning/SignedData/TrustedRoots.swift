/// The root certificates that are trusted for signed data.
public struct TrustedRoots: Sendable {
    private enum Anchors {
        case pinned(fingerprint: [UInt8])
        case configured([Certificate])
    }

    private let anchors: Anchors

    /// Apple Root CA – G3, by the SHA-256 of its certificate.
    ///
    /// The SHA-256 is enough, because all data that the App Store signs contains the certificate itself.
    /// Source: https://www.apple.com/certificateauthority/
    public static let appleRootCAG3 = TrustedRoots(
        pinnedFingerprint: [
            0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7, 0xBE,
            0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E, 0x91, 0x79,
        ])

    /// The SHA-256 of the certificate of Apple Root CA, from the same source. Every receipt contains the certificate itself.
    private static let appleRootCA: [UInt8] = [
        0xB0, 0xB1, 0x73, 0x0E, 0xCB, 0xC7, 0xFF, 0x45, 0x05, 0x14, 0x2C, 0x49, 0xF1, 0x29, 0x5E, 0x6E,
        0xDA, 0x6B, 0xCA, 0xED, 0x7E, 0x2C, 0x68, 0xC5, 0xBE, 0x91, 0xB5, 0xA1, 0x10, 0x01, 0xF0, 0x24,
    ]

    /// Reads roots from files, each with one certificate in DER or any number in PEM.
    ///
    /// The files may also contain certificates of local tests. Throws `unusable-trusted-root` if a file cannot be read as
    /// certificates, or if there is no certificate at all. The error states the number of the file.
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

    /// Trusts the root certificate with this SHA-256. Only data that contains the certificate can then be verified.
    init(pinnedFingerprint: [UInt8]) { anchors = .pinned(fingerprint: pinnedFingerprint) }

    /// Returns the roots that are trusted for signed data with these certificates.
    func anchors(presented: [Certificate]) -> [Certificate] {
        switch anchors {
        case .pinned(let fingerprint): presented.filter { $0.fingerprint == fingerprint }
        case .configured(let certificates): certificates
        }
    }

    /// Returns the roots that are trusted for a receipt with these certificates: Apple Root CA, and the configured roots.
    func receiptAnchors(presented: [Certificate]) -> [Certificate] {
        let pinned = presented.filter { $0.fingerprint == Self.appleRootCA }
        guard case .configured(let certificates) = anchors else { return pinned }
        return pinned + certificates
    }

    /// Returns the configured certificate that has exactly these bytes; nil if there is none.
    func configured(der: [UInt8]) -> Certificate? {
        guard case .configured(let certificates) = anchors else { return nil }
        return certificates.first { $0.der == der }
    }
}
