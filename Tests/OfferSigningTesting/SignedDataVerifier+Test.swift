package import OfferSigning

extension SignedDataVerifier {
    /// One with these roots, at the time when the test authority signs.
    package static func trusting(
        _ roots: [[UInt8]],
        cacheCapacity: Int = 512,
        now: @escaping @Sendable () -> Int64 = { TestAuthority.signedDate }
    ) throws -> SignedDataVerifier {
        SignedDataVerifier(roots: try TrustedRoots(pemOrDERFiles: roots), cacheCapacity: cacheCapacity, now: now)
    }
}
