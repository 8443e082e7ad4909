import FoundationEssentials
import WireText

/// A mistake that was found in a signature as an app passes it to StoreKit.
public struct Finding: Hashable, Sendable {
    /// A stable code of the mistake.
    public enum Code: String, Sendable {
        case base64Invalid = "base64-invalid"
        case base64URL = "base64-url"
        case base64Twice = "base64-twice"
        case p1363Signature = "p1363-signature"
        case signatureMalformed = "signature-malformed"
        case compactJWS = "compact-jws"
        case timestampInSeconds = "timestamp-in-seconds"
        case timestampInFuture = "timestamp-in-future"
        case nonceUpperCase = "nonce-upper-case"
        case nonceNotUUID = "nonce-not-a-uuid"
        case wrongSeparator = "wrong-separator"
        case usernameTrimmed = "username-trimmed"
        case usernameCase = "username-case"
        case usernameMissing = "username-missing"
        case usernameDiffers = "username-differs"
        case unknownKey = "unknown-key"
        case otherKey = "other-key"
        case keyRevoked = "key-revoked"
        case otherBundle = "other-bundle"
        case payloadSignature = "payload-signature"
        case jwsWrapped = "jws-wrapped"
        case jwsMalformed = "jws-malformed"
        case base64Standard = "base64-standard"
        case derSignature = "der-signature"
        case appStoreJWS = "app-store-jws"
        case wrongAlgorithm = "wrong-algorithm"
        case wrongType = "wrong-type"
        case keyIDMissing = "key-id-missing"
        case wrongAudience = "wrong-audience"
        case otherIssuer = "other-issuer"
        case expiryPresent = "expiry-present"
        case claimMissing = "claim-missing"
        case claimMisspelt = "claim-misspelt"
        case claimUnknown = "claim-unknown"
        case claimMalformed = "claim-malformed"
        case timestampInMilliseconds = "timestamp-in-milliseconds"
        case expired
        case notOurs = "not-ours"
        case nonceOnRecord = "nonce-on-record"
    }

    /// The mistake.
    public let code: Code
    /// What was found and what to do about it, in a sentence.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension Finding {
    /// The advice for a UUID that was passed in upper case.
    static let echo =
        ": a UUID is signed in lower case, so give StoreKit the applicationUsername of the answer, not the app's own text"

    /// Returns the finding for a genuine signature that was made for another field 5 than the app passes.
    public static func difference(signed: String, passed: String) -> Finding {
        if passed.isEmpty { return Finding(.usernameMissing, "applicationUsername is empty, but one was signed") }
        if signed.trimmed.utf8.elementsEqual(passed.trimmed.utf8) {
            return Finding(
                .usernameTrimmed, "white space at the ends of applicationUsername differs between signature and purchase")
        }
        if signed.lowercased().utf8.elementsEqual(passed.lowercased().utf8) {
            let letters = "the case of applicationUsername differs between signature and purchase"
            return Finding(.usernameCase, UUID(text: passed) != nil ? letters + echo : letters)
        }
        return Finding(
            .usernameDiffers, "applicationUsername is not the one that was signed: pass on exactly what the answer says")
    }
}
