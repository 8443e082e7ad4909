import FuzzDriver

@testable import OfferSigning

/// Certificates of the seeds' authority.
enum Seeds {
    static let certificates = try! CertificateFile(Array(SeedAuthority.chain.utf8), name: "seed").certificates()
    static let roots = try! TrustedRoots(pemOrDERFiles: [Array(SeedAuthority.root.utf8)])
}

// A file of certificates in PEM or DER, and each of them in every place of a chain.
FuzzDriver.main { start, count in
    let contents = Array(UnsafeBufferPointer(start: start, count: count))
    guard let found = try? CertificateFile(contents, name: "input").certificates() else { return 0 }
    let seeds = Seeds.certificates.map(\.der)
    for certificate in found.prefix(3) {
        _ = (certificate.validity, certificate.hasSupportedKey, certificate.publicKey(), certificate.fingerprint)
        _ = certificate.hasExtension("1.2.840.113635.100.6.11.1")
        for place in seeds.indices {
            var chain = seeds
            chain[place] = certificate.der
            _ = try? CertificateChain(chain).verified(roots: Seeds.roots, at: 1_686_787_200)
        }
    }
    if let roots = try? TrustedRoots(pemOrDERFiles: [contents]) {
        _ = try? CertificateChain(seeds).verified(roots: roots, at: 1_686_787_200)
    }
    return 0
}
