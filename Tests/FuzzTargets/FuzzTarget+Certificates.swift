@testable import OfferSigning

extension FuzzTarget {
    /// A file of certificates in PEM or DER, and each of them in every place of a chain.
    static func readCertificates(_ input: UnsafeBufferPointer<UInt8>) {
        let contents = Array(input)
        guard let found = try? CertificateFile(contents, name: "input").certificates() else { return }
        let seeds = SeedAuthority.certificates.map(\.der)
        let instant = SeedAuthority.now / 1000
        for certificate in found.prefix(3) {
            _ = (certificate.validity, certificate.hasSupportedKey, certificate.publicKey(), certificate.fingerprint)
            _ = certificate.hasExtension("1.2.840.113635.100.6.11.1")
            for place in seeds.indices {
                var chain = seeds
                chain[place] = certificate.der
                _ = try? CertificateChain(chain).verified(roots: SeedAuthority.roots, at: instant)
            }
        }
        if let roots = try? TrustedRoots(pemOrDERFiles: [contents]) {
            _ = try? CertificateChain(seeds).verified(roots: roots, at: instant)
        }
    }
}
