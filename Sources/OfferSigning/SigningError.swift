/// Why a key could not be loaded or a signature not be made.
///
/// Equal when the codes are equal: the detail is for people.
public struct SigningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable name of the cause.
    public enum Code: String, Sendable {
        case fileUnreadable = "key-file-unreadable"
        case fileReadableByOthers = "key-file-readable-by-others"
        case fileOwnedByAnother = "key-file-owned-by-another"
        case folderWritableByOthers = "key-folder-writable-by-others"
        /// Code that this process would run, and others may change.
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
        case selfTestFailed = "key-self-test-failed"
        case appStoreConnectKey = "key-wrong-kind"
        case idMismatch = "key-id-mismatch"
        case idMissing = "key-id-missing"
        /// A key id that cannot be one, such as that of a second download.
        case idMalformed = "key-id-malformed"
        case duplicateKey = "key-duplicate"
        case severalActive = "key-several-active"
        case uriMalformed = "key-uri-malformed"
        /// A library that cannot be loaded, or is none of PKCS#11.
        case moduleUnusable = "key-module-unusable"
        /// A hardware module that gives no signature now.
        case moduleUnavailable = "key-module-unavailable"
        /// More signatures are wanted of a hardware module than it gives.
        case moduleBusy = "key-module-busy"
        case tokenMissing = "key-token-missing"
        case notInToken = "key-not-in-token"
        case pinMissing = "key-pin-missing"
        /// Not given again until it changes.
        case pinRefused = "key-pin-refused"
        /// A key that signs later was asked to sign at once.
        case signsLater = "key-signs-later"
        case fieldEmpty = "field-empty"
        case fieldContainsSeparator = "field-contains-separator"
        case cryptoFailure = "crypto-failure"
    }

    /// The cause.
    public let code: Code
    /// What was found and what to do about it, in a sentence or two; never key material.
    public let detail: String

    /// - Parameter detail: a sentence or two for people; never key material.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Equal when the codes are equal.
    public static func == (left: SigningError, right: SigningError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
