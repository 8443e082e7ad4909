import COpenSSLShim

/// The three certificates in the `x5c` header of signed data, checked as a chain up to a trusted root.
struct CertificateChain {
    private static let intermediateMarker = "1.2.840.113635.100.6.2.1"
    private static let leafMarker = "1.2.840.113635.100.6.11.1"

    private let leaf: Certificate
    private let intermediate: Certificate
    private let root: Certificate

    /// - Parameter x5c: three certificates in DER: leaf, intermediate, root.
    init(_ x5c: [[UInt8]]) throws(SignedDataError) {
        let certificates = x5c.compactMap(Certificate.init(der:))
        guard certificates.count == 3, x5c.count == 3 else {
            throw SignedDataError(.malformedCertificateChain, "an entry of x5c is not exactly one X.509 certificate")
        }
        leaf = certificates[0]
        intermediate = certificates[1]
        root = certificates[2]
    }

    /// Verifies the chain up to one of the roots, at an instant in seconds since 1970, and checks Apple's markers.
    func verified(roots: TrustedRoots, at seconds: Int64) throws(SignedDataError) -> VerifiedChain {
        let anchors = roots.anchors(presented: root)
        var validity = oss_validity()
        let status = withExtendedLifetime((self, anchors)) {
            oss_chain_verify(
                leaf.pointer, intermediate.pointer, anchors.map(\.pointer), anchors.count, seconds, &validity)
        }
        // The markers state the purpose of a chain. They are checked before the dates, and only in chains of a trusted root.
        if [OSS_CHAIN_OK, OSS_CHAIN_EXPIRED, OSS_CHAIN_NOT_YET_VALID].contains(status) { try checkMarkers() }
        guard status == OSS_CHAIN_OK, let validity = ClosedRange(validity) else { throw error(status, at: seconds) }
        guard let key = leaf.publicKey() else { throw error(OSS_CHAIN_KEY_UNSUPPORTED, at: seconds) }
        return VerifiedChain(key: key, validity: validity)
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
                intermediate.hasSupportedKey
                    ? "the leaf's key must be on P-256, the others' on P-384 or P-256"
                    : "the intermediate's key is neither on P-384 nor on P-256"
            )
        case OSS_CHAIN_UNTRUSTED:
            SignedDataError(.untrustedRoot, "no trusted root issued the intermediate certificate")
        default:
            SignedDataError(
                .invalidCertificateChain,
                "x5c is not a chain: leaf, issued by intermediate (an authority), issued by root"
            )
        }
    }

    private func outdated(_ isOutdated: (ClosedRange<Int64>) -> Bool) -> String {
        func isOutside(_ certificate: Certificate) -> Bool { certificate.validity.map(isOutdated) ?? true }
        if isOutside(leaf) { return "the leaf certificate" }
        return isOutside(intermediate) ? "the intermediate certificate" : "the root certificate"
    }
}
