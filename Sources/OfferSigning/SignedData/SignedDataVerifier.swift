package import WireText

/// Verifies data that the App Store has signed: transactions, renewals, notifications (docs/app-store.md#signed-data).
///
/// Thread-safe.
public final class SignedDataVerifier: Sendable {
    /// How far the App Store's clock may be ahead of this machine's, in ms.
    private static let maxAhead: Int64 = 24 * 3600 * 1000

    private let roots: TrustedRoots
    private let cache: VerifiedChainCache
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - cacheCapacity: the number of verified certificate chains to cache; 0 for none.
    ///   - cacheLifetimeSeconds: how long a chain is cached.
    ///   - now: returns the time in ms since 1970. It is used for the age of cached chains, and to find signing dates in the
    ///     future. If data has no signing date, its certificates must be valid at this time.
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

    /// Verifies a JWS. It checks, in this order, the form, the certificate chain with Apple's markers, the validity of the chain
    /// at the signing date, the signature, and that the signing date is not in the future.
    ///
    /// The caller must check that the data belongs to the expected app and environment.
    package func verify(_ jws: ArraySlice<UInt8>) throws(SignedDataError) -> SignedData {
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
        try checkIsPast(signedDate)
        return SignedData(payload: presented.payload, signedDate: signedDate, isLocal: isLocal)
    }

    /// Verifies a JWS that is given as a text.
    package func verify(_ jws: String) throws(SignedDataError) -> SignedData { try verify(Array(jws.utf8)[...]) }

    /// Verifies a receipt in the same way. The App Store signs receipts with RSA, and with a certificate chain of another root.
    ///
    /// - Parameter createdAt: when the receipt was created, in ms since 1970; nil if its content cannot be read.
    package func verify(receipt: SignedMessage, createdAt: Int64?) throws(SignedDataError) {
        let chain = try CertificateChain(of: receipt)
        guard let createdAt else {
            throw SignedDataError(
                .malformedPayload,
                "this is not a receipt: its environment, its bundle id or its date is missing, or it is damaged")
        }
        try chain.verify(receiptRoots: roots, at: createdAt / 1000)
        guard receipt.isSigned else {
            throw SignedDataError(.invalidSignature, "the receipt was changed, or its certificate's key did not sign it")
        }
        try checkIsPast(createdAt)
    }

    private func checkIsPast(_ signedDate: Int64?) throws(SignedDataError) {
        // If there are several statements about a purchase, the newest one counts. A statement that is dated in the future would
        // therefore count until that date, whatever the App Store states meanwhile.
        if let signedDate, signedDate - now() > SignedDataVerifier.maxAhead {
            throw SignedDataError(
                .signedInFuture, "the data says that it was signed more than a day from now; look at the clock of this machine")
        }
    }

    /// Whether verification is cheap, because the chain is cached, or because the data can be refused without verifying a chain.
    package func isQuick(_ jws: String) -> Bool {
        guard let presented = try? CompactJWS(Array(jws.utf8)[...]), presented.certificates.count > 1 else { return true }
        return cache.chain(VerifiedChainCache.key(of: presented.certificates), now: now()) != nil
    }

    private func localKey(_ der: [UInt8]) throws(SignedDataError) -> KeyHandle {
        guard let certificate = roots.configured(der: der) else {
            throw SignedDataError(
                .localCertificateUnknown,
                "data of Xcode or LocalTesting: its certificate must be one of the configured roots"
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
        // A cached chain counts only for data that was signed while its certificates were valid. Data from another time may be
        // valid with another root, so the chain is verified again.
        if let known = cache.chain(name, now: now), known.validity.contains(seconds) { return known }
        let verified = try CertificateChain(x5c).verified(roots: roots, at: seconds)
        cache.insert(verified, for: name, now: now)
        return verified
    }
}

/// Data that the App Store has signed. Its signature and its certificate chain are verified.
///
/// The caller must check that the data belongs to the expected app and environment.
package struct SignedData: Sendable {
    /// The signed payload, which is a JSON object.
    package let payload: JSONValue
    /// When the data was signed, in ms since 1970; nil if the payload does not say.
    package let signedDate: Int64?
    /// Whether a local test has signed the data instead of the App Store, with a certificate that the configuration names.
    ///
    /// Such data must not be accepted for the environments Production and Sandbox.
    package let isLocal: Bool

    package init(payload: JSONValue, signedDate: Int64?, isLocal: Bool) {
        self.payload = payload
        self.signedDate = signedDate
        self.isLocal = isLocal
    }
}
