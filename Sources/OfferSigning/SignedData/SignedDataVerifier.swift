/// Verifies what the App Store signs: transactions, renewals, notifications (docs/app-store.md#signed-data).
///
/// For any number of threads.
public final class SignedDataVerifier: Sendable {
    /// How far ahead of the clock here the App Store's may be; in ms.
    private static let maxAhead: Int64 = 24 * 3600 * 1000

    private let roots: TrustedRoots
    private let cache: VerifiedChainCache
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - cacheCapacity: how many verified certificate chains are remembered; 0 for none.
    ///   - cacheLifetimeSeconds: for how long.
    ///   - now: ms since 1970; also judges the certificates of data that does not say when it was signed, and signing dates that are still to come.
    public init(
        roots: TrustedRoots,
        cacheCapacity: Int = 512,
        cacheLifetimeSeconds: Int64 = 900,
        now: @escaping @Sendable () -> Int64
    ) {
        self.roots = roots
        self.now = now
        cache = VerifiedChainCache(capacity: cacheCapacity, lifetime: cacheLifetimeSeconds * 1000)
    }

    /// Checks form, certificate chain, Apple's marks, validity at the signing date, signature and that date, in this order.
    ///
    /// Whose data it is remains to be compared.
    package func verify(_ jws: String) throws(SignedDataError) -> SignedData {
        let presented = try CompactJWS(jws)
        let signedDate = try presented.payload.signedDate()
        let isLocal = presented.certificates.count == 1
        let key =
            isLocal
            ? try localKey(presented.certificates[0])
            : try chain(presented.certificates, signedDate: signedDate).key
        guard presented.isSigned(by: key) else {
            throw SignedDataError(.invalidSignature, "the signature was not made over this data with the leaf's key")
        }
        // The newest statement wins: one from the future would win for as long as it takes the present to get there.
        if let signedDate, signedDate - now() > SignedDataVerifier.maxAhead {
            throw SignedDataError(
                .signedInFuture, "the data says that it was signed more than a day from now; look at the clock of this machine")
        }
        return SignedData(payload: presented.payload, signedDate: signedDate, isLocal: isLocal)
    }

    /// Whether verifying it takes little: its certificates are remembered, or it needs no look at them to be refused.
    package func isQuick(_ jws: String) -> Bool {
        guard let presented = try? CompactJWS(jws), presented.certificates.count > 1 else { return true }
        return cache.chain(VerifiedChainCache.key(of: presented.certificates), now: now()) != nil
    }

    private func localKey(_ der: [UInt8]) throws(SignedDataError) -> KeyHandle {
        guard let certificate = roots.configured(der: der) else {
            throw SignedDataError(
                .localCertificateUnknown,
                "data of Xcode or LocalTesting: its certificate has to be one of the configured roots"
            )
        }
        guard let key = certificate.publicKey() else {
            throw SignedDataError(.unsupportedCertificateKey, "the key of the configured certificate is not on P-256")
        }
        return key
    }

    private func chain(_ x5c: [[UInt8]], signedDate: Int64?) throws(SignedDataError) -> VerifiedChain {
        let now = now()
        let seconds = (signedDate ?? now) / 1000
        let name = VerifiedChainCache.key(of: x5c)
        // Data from another time may rest on another of the roots: what is remembered speaks for its own window only.
        if let known = cache.chain(name, now: now), known.validity.contains(seconds) { return known }
        let verified = try CertificateChain(x5c).verified(roots: roots, at: seconds)
        cache.insert(verified, for: name, now: now)
        return verified
    }
}
