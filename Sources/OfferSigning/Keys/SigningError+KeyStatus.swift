import COpenSSLShim

extension SigningError {
    /// Creates the error for a file that OpenSSL cannot read as an In-App Purchase key. It says why, and what to do about it.
    init(_ status: oss_key_status, of contents: UnsafeRawBufferPointer) {
        let isUnreadable = status == OSS_KEY_NOT_PEM || status == OSS_KEY_OTHER_PEM || status == OSS_KEY_DAMAGED
        self = (isUnreadable ? KeyText(contents).mistake : nil) ?? SigningError(status)
    }

    private init(_ status: oss_key_status) {
        switch status {
        case OSS_KEY_NOT_PEM:
            self.init(.notPEM, "this is not a PEM file: it has no line '-----BEGIN PRIVATE KEY-----'")
        case OSS_KEY_SEC1:
            self.init(
                .sec1,
                "this is a SEC1 key (BEGIN EC PRIVATE KEY), PKCS#8 is needed; "
                    + "convert it with: openssl pkcs8 -topk8 -nocrypt -in old.pem -out SubscriptionKey_<KEYID>.p8"
            )
        case OSS_KEY_RSA:
            self.init(.rsa, "this is an RSA key; the App Store's In-App Purchase keys are elliptic-curve (P-256) keys")
        case OSS_KEY_PUBLIC:
            self.init(.publicKey, "this is a public key; the private .p8 file from App Store Connect is needed")
        case OSS_KEY_CERTIFICATE:
            self.init(.certificate, "this is a certificate; the private .p8 file from App Store Connect is needed")
        case OSS_KEY_OTHER_PEM:
            self.init(.otherPEM, "this PEM file holds something other than a PKCS#8 private key (BEGIN PRIVATE KEY)")
        case OSS_KEY_OTHER_ALGORITHM:
            self.init(.otherAlgorithm, "this private key is not an elliptic-curve key; P-256 is needed")
        case OSS_KEY_OTHER_CURVE:
            self.init(.otherCurve, "this key is on another curve; P-256 (prime256v1) is needed")
        case OSS_KEY_PASSPHRASE_NEEDED:
            self.init(.passphraseNeeded, "this key is encrypted; give its passphrase (keys.passphraseFile)")
        case OSS_KEY_PASSPHRASE_WRONG:
            self.init(.passphraseWrong, "the passphrase does not open this key")
        default:
            self.init(.damaged, "the PEM frame does not hold a PKCS#8 key; download or copy it again")
        }
    }
}
