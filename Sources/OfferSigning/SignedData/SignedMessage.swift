import COpenSSLShim

/// PKCS#7 signed-data, as a receipt is: its content and the enclosed certificates. Owns an `oss_signed_message`.
package final class SignedMessage {
    /// The App Store encloses three.
    private static let maxCertificates = 8

    /// The signed bytes, which nothing proves before the message is verified.
    package let content: [UInt8]
    /// The certificate of the only signer; nil if there is another number of signers, or its certificate is not enclosed.
    let signer: Certificate?
    /// The enclosed certificates but the signer's.
    let others: [Certificate]
    private let pointer: OpaquePointer

    /// Reads exactly one message, in DER or BER; nil if the bytes are anything else, or have more than 16 MiB.
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

    /// Whether the signer's key made the signature over the content. The certificate itself is not judged.
    var isSigned: Bool { oss_signed_message_is_signed(pointer) == 1 }
}
