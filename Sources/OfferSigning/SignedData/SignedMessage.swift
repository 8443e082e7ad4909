import COpenSSLShim

/// A PKCS#7 signed-data message, which is the form of a receipt. It has a content and encloses certificates.
///
/// It owns an `oss_signed_message` of the OpenSSL shim.
package final class SignedMessage {
    /// The most enclosed certificates that are read. The App Store encloses three.
    private static let maxCertificates = 8

    /// The signed bytes. They must not be trusted before the message is verified.
    package let content: [UInt8]
    /// The signer's certificate; nil if the message does not have exactly one signer, or the certificate is not enclosed.
    let signer: Certificate?
    /// The enclosed certificates except the signer's.
    let others: [Certificate]
    private let pointer: OpaquePointer

    /// Reads exactly one message, in DER or BER. Returns nil if the bytes are anything else, or if there are more than 16 MiB.
    package init?(_ bytes: [UInt8]) {
        guard let pointer = oss_signed_message_read(bytes, bytes.count) else { return nil }
        self.pointer = pointer
        var length = 0
        let start = oss_signed_message_content(pointer, &length)
        content = Array(UnsafeBufferPointer(start: start, count: length))
        var signer: Certificate?
        var others: [Certificate] = []
        for index in 0..<Self.maxCertificates {
            var isSigner: Int32 = 0
            let der = [UInt8](unsafeUninitializedCapacity: Certificate.capacity) { buffer, count in
                count = oss_signed_message_certificate(pointer, index, buffer.baseAddress, buffer.count, &isSigner)
            }
            guard let certificate = Certificate(der: der) else { continue }
            if isSigner == 1 { signer = signer ?? certificate } else { others.append(certificate) }
        }
        (self.signer, self.others) = (signer, others)
    }

    deinit { oss_signed_message_free(pointer) }

    /// Whether the signature over the content was made with the signer's key. The signer's certificate is not verified here.
    var isSigned: Bool { oss_signed_message_is_signed(pointer) == 1 }
}
