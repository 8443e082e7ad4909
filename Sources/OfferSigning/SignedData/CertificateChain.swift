import COpenSSLShim

/// The certificates in the `x5c` header of signed data or in a receipt, which are verified as a chain up to a trusted root.
struct CertificateChain {
    private static let intermediateMarker = "1.2.840.113635.100.6.2.1"
    private static let leafMarker = "1.2.840.113635.100.6.11.1"

    private let leaf: Certificate
    private let intermediate: Certificate
    private let enclosed: [Certificate]
    private let kind: oss_chain_kind

    /// - Parameter x5c: three certificates in DER, which are the leaf, the intermediate and the root.
    init(_ x5c: [[UInt8]]) throws(SignedDataError) {
        let certificates = x5c.compactMap(Certificate.init(der:))
        guard certificates.count == 3, x5c.count == 3 else {
            throw SignedDataError(.malformedCertificateChain, "an entry of x5c is not exactly one X.509 certificate")
        }
        leaf = certificates[0]
        intermediate = certificates[1]
        enclosed = [certificates[2]]
        kind = OSS_CHAIN_OF_EC
    }

    /// Finds the chain of a receipt's signer among the certificates that the receipt encloses.
    init(of receipt: SignedMessage) throws(SignedDataError) {
        guard let signer = receipt.signer else {
            throw SignedDataError(.malformedCertificateChain, "the receipt does not hold the certificate of exactly one signer")
        }
        guard let issuer = receipt.others.first(where: { $0.isIssuer(of: signer) }) else {
            throw SignedDataError(
                .untrustedRoot, "Apple did not sign this receipt; StoreKit Testing in Xcode signs with a certificate of its own")
        }
        leaf = signer
        intermediate = issuer
        enclosed = receipt.others
        kind = OSS_CHAIN_OF_RSA
    }

    /// Verifies the chain up to one of the roots, and checks that it has Apple's markers.
    ///
    /// - Parameter seconds: the time at which the certificates have to be valid, in seconds since 1970.
    func verified(roots: TrustedRoots, at seconds: Int64) throws(SignedDataError) -> VerifiedChain {
        let validity = try validity(roots.anchors(presented: enclosed), at: seconds)
        guard let key = leaf.publicKey() else { throw error(OSS_CHAIN_KEY_UNSUPPORTED, at: seconds) }
        return VerifiedChain(key: key, validity: validity)
    }

    /// Verifies the chain of a receipt in the same way, with the roots that are trusted for receipts.
    func verify(receiptRoots roots: TrustedRoots, at seconds: Int64) throws(SignedDataError) {
        _ = try validity(roots.receiptAnchors(presented: enclosed), at: seconds)
    }

    private func validity(_ anchors: [Certificate], at seconds: Int64) throws(SignedDataError) -> ClosedRange<Int64> {
        var validity = oss_validity()
        let status = withExtendedLifetime((self, anchors)) {
            oss_chain_verify(
                leaf.pointer, intermediate.pointer, anchors.map(\.pointer), anchors.count, kind, seconds, &validity)
        }
        // Apple's markers are extensions that state what a chain is for. They are checked even if the chain has expired, so
        // that the error for a chain with another purpose names the purpose.
        if [OSS_CHAIN_OK, OSS_CHAIN_EXPIRED, OSS_CHAIN_NOT_YET_VALID].contains(status) { try checkMarkers() }
        guard status == OSS_CHAIN_OK, let validity = ClosedRange(validity) else { throw error(status, at: seconds) }
        return validity
    }

    private func checkMarkers() throws(SignedDataError) {
        guard intermediate.hasExtension(CertificateChain.intermediateMarker) else {
            throw SignedDataError(
                .missingIntermediateMarker,
                "the intermediate certificate lacks Apple's extension \(CertificateChain.intermediateMarker)"
            )
        }
        guard leaf.hasExtension(CertificateChain.leafMarker) else {
            throw SignedDataError(
                .missingLeafMarker, "the leaf certificate lacks Apple's extension \(CertificateChain.leafMarker)")
        }
    }

    private func error(_ status: oss_chain_status, at seconds: Int64) -> SignedDataError {
        switch status {
        case OSS_CHAIN_EXPIRED:
            SignedDataError(
                .certificateExpired, "\(outdated { $0.upperBound < seconds }) had expired when the data was signed")
        case OSS_CHAIN_NOT_YET_VALID:
            SignedDataError(
                .certificateNotYetValid,
                "\(outdated { $0.lowerBound > seconds }) was not valid yet when the data was signed"
            )
        case OSS_CHAIN_KEY_UNSUPPORTED:
            SignedDataError(
                .unsupportedCertificateKey,
                kind == OSS_CHAIN_OF_RSA
                    ? "the keys of a receipt's certificates must be RSA of 2048 bits and more"
                    : intermediate.hasSupportedKey
                        ? "the leaf's key must be on P-256, the others' on P-384 or P-256"
                        : "the intermediate's key is neither on P-384 nor on P-256"
            )
        case OSS_CHAIN_UNTRUSTED:
            SignedDataError(.untrustedRoot, "no trusted root issued the intermediate certificate")
        default:
            SignedDataError(
                .invalidCertificateChain,
                "the certificates are not a chain: leaf, issued by intermediate (an authority), issued by root"
            )
        }
    }

    private func outdated(_ isOutdated: (ClosedRange<Int64>) -> Bool) -> String {
        func isOutside(_ certificate: Certificate) -> Bool { certificate.validity.map(isOutdated) ?? true }
        if isOutside(leaf) { return "the leaf certificate" }
        return isOutside(intermediate) ? "the intermediate certificate" : "the root certificate"
    }
}

/// An X.509 certificate. It owns an `oss_certificate` of the OpenSSL shim.
final class Certificate: Sendable {
    /// The longest certificate that is accepted, in bytes.
    static let capacity = Int(OSS_CERTIFICATE_CAPACITY)

    /// The certificate as received.
    let der: [UInt8]
    // This is safe, because the certificate does not change after it is parsed, and its reference count is atomic.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Parses exactly one certificate. Returns nil if the bytes are anything else.
    init?(der: [UInt8]) {
        guard let pointer = oss_certificate_read(der, der.count) else { return nil }
        self.der = der
        self.pointer = pointer
    }

    deinit { oss_certificate_free(pointer) }

    /// The SHA-256 of the certificate in DER.
    var fingerprint: [UInt8] { Crypto.sha256(der) }

    /// The time in which the certificate is valid, in seconds since 1970; nil if it ends before it begins.
    var validity: ClosedRange<Int64>? { ClosedRange(oss_certificate_validity(pointer)) }

    /// Whether the certificate has an extension with this dotted object identifier.
    func hasExtension(_ identifier: String) -> Bool { oss_certificate_has_extension(pointer, identifier) == 1 }

    /// Whether another certificate names this one as its issuer, and this one may issue certificates. The signature is not
    /// verified.
    func isIssuer(of other: Certificate) -> Bool { oss_certificate_issued(pointer, other.pointer) == 1 }

    /// Whether the key is on P-384 or P-256, which is required of each issuer in a chain of signed data.
    var hasSupportedKey: Bool { oss_certificate_key_kind(pointer) != OSS_CERTIFICATE_KEY_OTHER }

    /// The public key; nil if it is not on P-256.
    func publicKey() -> KeyHandle? { oss_certificate_public_key(pointer).map(KeyHandle.init) }
}
