/// Why a key cannot be loaded, or a signature cannot be made.
///
/// Errors are equal if their codes are equal. The detail is for people.
public struct SigningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable code of the cause.
    public enum Code: String, Sendable, CaseIterable {
        case fileUnreadable = "key-file-unreadable"
        case fileReadableByOthers = "key-file-readable-by-others"
        case fileOwnedByAnother = "key-file-owned-by-another"
        case folderWritableByOthers = "key-folder-writable-by-others"
        /// A file that this process has to trust, such as a PKCS#11 library that it would load, but that other users may change.
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
        /// Line breaks that are lost, or that have become other characters.
        case lineBreaks = "key-line-breaks"
        case indented = "key-indented"
        case richText = "key-rich-text"
        case utf16 = "key-utf-16"
        case webPage = "key-web-page"
        case base64OfPEM = "key-base64-of-pem"
        /// The lines BEGIN and END are missing, or have lost their hyphens.
        case frameMissing = "key-frame-missing"
        case selfTestFailed = "key-self-test-failed"
        case appStoreConnectKey = "key-wrong-kind"
        case idMismatch = "key-id-mismatch"
        case idMissing = "key-id-missing"
        /// A malformed key id, such as one from the name of a file that a browser downloaded twice.
        case idMalformed = "key-id-malformed"
        case duplicateKey = "key-duplicate"
        case severalActive = "key-several-active"
        case uriMalformed = "key-uri-malformed"
        /// A library that cannot be loaded, or that is not a PKCS#11 library.
        case moduleUnusable = "key-module-unusable"
        /// A hardware module that cannot sign now.
        case moduleUnavailable = "key-module-unavailable"
        /// More signatures are requested from a hardware module than it can make.
        case moduleBusy = "key-module-busy"
        case tokenMissing = "key-token-missing"
        case notInToken = "key-not-in-token"
        case pinMissing = "key-pin-missing"
        /// The token has refused the PIN, or might lock. The same PIN is not tried again.
        case pinRefused = "key-pin-refused"
        /// A key in a hardware module was asked for an immediate signature.
        case signsLater = "key-signs-later"
        case fieldEmpty = "field-empty"
        case fieldContainsSeparator = "field-contains-separator"
        case cryptoFailure = "crypto-failure"
    }

    /// The cause.
    public let code: Code
    /// What was found and what to do about it, in a sentence or two. Never contains key material.
    public let detail: String

    /// - Parameter detail: a sentence or two for people. Must not contain key material.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Equal when the codes are equal.
    public static func == (left: SigningError, right: SigningError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
