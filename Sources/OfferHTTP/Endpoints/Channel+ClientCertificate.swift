import EligibilityRules
import NIOCore
import NIOSSL

extension Channel {
    /// When the certificate expires that the client has shown; nil if it has shown none. On the event loop only.
    ///
    /// One that is there was verified: a handshake with another one fails.
    var clientCertificateExpiry: Instant? {
        guard let certificate = try? pipeline.syncOperations.nioSSL_peerCertificate() else { return nil }
        return Instant(milliseconds: Int64(certificate.notValidAfter) * 1000)
    }
}
