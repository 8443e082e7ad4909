import EligibilityRules
import NIOCore
import NIOSSL

extension Channel {
    /// The expiry of the client's certificate; nil if the client presented none.
    ///
    /// Read it on the event loop only.
    ///
    /// A certificate that was presented is a valid one, because with any other certificate the TLS handshake fails.
    var clientCertificateExpiry: Instant? {
        guard let certificate = try? pipeline.syncOperations.nioSSL_peerCertificate() else { return nil }
        return Instant(milliseconds: Int64(certificate.notValidAfter) * 1000)
    }
}
