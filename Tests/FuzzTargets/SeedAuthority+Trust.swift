@testable import OfferSigning

extension SeedAuthority {
    /// When its certificates are valid, in ms since 1970.
    static let now: Int64 = 1_700_000_000_000

    static let certificates = try! CertificateFile(Array(chain.utf8), name: "seed").certificates()
    static let roots = try! TrustedRoots(pemOrDERFiles: [Array(root.utf8)])

    /// Trusts no other authority.
    static let verifier: SignedDataVerifier = {
        let verifier = SignedDataVerifier(roots: roots, cacheCapacity: 8, now: { now })
        // Unless the seed passes, nothing that follows shows anything.
        _ = try! verifier.verify(jws)
        return verifier
    }()
}
