/// Why a key cannot be loaded, or a signature cannot be made.
///
/// Two errors are equal if their codes are equal. The detail is for people.
public struct SigningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable code of the cause.
    public enum Code: String, Sendable, CaseIterable {
        case fileUnreadable = "key-file-unreadable"
        case fileReadableByOthers = "key-file-readable-by-others"
        case fileOwnedByAnother = "key-file-owned-by-another"
        case folderWritableByOthers = "key-folder-writable-by-others"
        /// Other users may change a file that this process has to trust, such as a PKCS#11 library.
        case fileWritableByOthers = "key-file-writable-by-others"
        case fileTooLarge = "key-file-too-large"
        case notPEM = "key-not-pem"
        case sec1 = "key-sec1"
        case rsa = "key-rsa"
        case publicKey = "key-public"
        case certificate = "key-certificate"
        case otherPEM = "key-other-pem"
        case otherAlgorithm = "key-other-algorithm"
        case otherCurve = "key-other-curve"
        case passphraseNeeded = "key-passphrase-needed"
        case passphraseWrong = "key-passphrase-wrong"
        case damaged = "key-damaged"
        /// The line breaks of a key file are lost, or have become other characters.
        case lineBreaks = "key-line-breaks"
        case indented = "key-indented"
        case richText = "key-rich-text"
        case utf16 = "key-utf-16"
        case webPage = "key-web-page"
        case base64OfPEM = "key-base64-of-pem"
        /// The BEGIN and END lines of a key file are missing, or have lost their hyphens.
        case frameMissing = "key-frame-missing"
        case selfTestFailed = "key-self-test-failed"
        case appStoreConnectKey = "key-wrong-kind"
        case idMismatch = "key-id-mismatch"
        case idMissing = "key-id-missing"
        /// A key id has characters that a key id cannot have, for example because a browser has downloaded the file twice.
        case idMalformed = "key-id-malformed"
        case duplicateKey = "key-duplicate"
        case severalActive = "key-several-active"
        case uriMalformed = "key-uri-malformed"
        /// A library cannot be loaded, or is not a PKCS#11 library.
        case moduleUnusable = "key-module-unusable"
        /// A hardware module cannot sign now.
        case moduleUnavailable = "key-module-unavailable"
        /// So many requests wait for a hardware module that no more are accepted.
        case moduleBusy = "key-module-busy"
        case tokenMissing = "key-token-missing"
        case notInToken = "key-not-in-token"
        case pinMissing = "key-pin-missing"
        /// The token has refused the PIN, or would lock after another wrong PIN. The same PIN is not tried again.
        case pinRefused = "key-pin-refused"
        /// A signature was requested at once from a key in a hardware module, which can sign only asynchronously.
        case signsLater = "key-signs-later"
        case fieldEmpty = "field-empty"
        case fieldContainsSeparator = "field-contains-separator"
        case cryptoFailure = "crypto-failure"
    }

    /// The cause.
    public let code: Code
    /// What was found and what to do about it, in a sentence or two. It never contains key material.
    public let detail: String

    /// - Parameter detail: a sentence or two for people. It must not contain key material.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Compares only the codes.
    public static func == (left: SigningError, right: SigningError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
