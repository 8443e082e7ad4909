import FoundationEssentials
import WireText

extension SignatureDiagnosis {
    /// From this number on, a time is one in milliseconds and none in seconds.
    private static let milliseconds: Int64 = 100_000_000_000

    /// Returns the mistakes of a compact JWS as an app passes it to StoreKit; empty for one that the App Store accepts at the
    /// time `now`, which is in ms since 1970.
    ///
    /// - Parameter issuerID: the issuer id of the app; nil if it is not known.
    public func findings(forJWS text: String, bundleID: String, issuerID: String?, now: Int64) -> [Finding] {
        let (jws, textFindings) = PresentedJWS.read(text)
        guard let jws else { return textFindings }
        if jws.header.member("x5c") != nil {
            let found = "the App Store has signed this; a purchase needs the compactJWS that this service has answered"
            return textFindings + [Finding(.appStoreJWS, found)]
        }
        return textFindings + header(of: jws) + ClaimReview(of: jws.claims).findings
            + values(of: jws, bundleID: bundleID, issuerID: issuerID, now: now) + signature(of: jws)
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    private func header(of jws: PresentedJWS) -> [Finding] {
        var findings: [Finding] = []
        let algorithm = Self.text(jws.header.member("alg"))
        if algorithm != "ES256" {
            findings.append(
                Finding(.wrongAlgorithm, "the header must say alg ES256; it says \(algorithm.map(Finding.quoted) ?? "none")"))
        }
        let type = Self.text(jws.header.member("typ"))
        if type != "JWT" {
            findings.append(Finding(.wrongType, "the header must say typ JWT; it says \(type.map(Finding.quoted) ?? "none")"))
        }
        guard let keyID = Self.text(jws.header.member("kid")), !keyID.isEmpty else {
            return findings + [Finding(.keyIDMissing, "the header has no kid, which must be the id of the key")]
        }
        if keys.allSatisfy({ $0.id != keyID }) {
            findings.append(Finding(.unknownKey, "no key \(Finding.quoted(keyID)) is known here for this app"))
        }
        if revokedKeyIDs.contains(keyID) {
            findings.append(Finding(.keyRevoked, "key \(keyID) is revoked: the App Store refuses its signatures"))
        }
        return findings
    }

    /// The mistakes in the values of claims whose names and types are right.
    private func values(of jws: PresentedJWS, bundleID: String, issuerID: String?, now: Int64) -> [Finding] {
        var findings: [Finding] = []
        if let bid = Self.text(jws.claims.member("bid")), !bid.isEmpty, !bid.utf8.elementsEqual(bundleID.utf8) {
            findings.append(Finding(.otherBundle, "it was signed for the app \(Finding.quoted(bid))"))
        }
        if let issuerID, let iss = Self.text(jws.claims.member("iss")), !iss.isEmpty, !iss.utf8.elementsEqual(issuerID.utf8) {
            findings.append(
                Finding(
                    .otherIssuer, "iss is \(Finding.quoted(iss)), and not the issuer id of the app's team in App Store Connect"))
        }
        if let nonce = jws.nonce, !nonce.isEmpty { findings += Self.shape(ofNonce: nonce) }
        guard case .number(let number)? = jws.claims.member("iat"), let iat = Int64(number) else { return findings }
        guard iat.magnitude >= Self.milliseconds else { return findings + Self.age(of: iat * 1000, now: now) }
        findings.append(Finding(.timestampInMilliseconds, "iat is in milliseconds; seconds are wanted"))
        let (earliest, latest) = (-1000 * Self.milliseconds, 1000 * Self.milliseconds)
        return findings + Self.age(of: min(max(iat, earliest), latest), now: now)
    }

    private func signature(of jws: PresentedJWS) -> [Finding] {
        var findings: [Finding] = []
        var der = Signature.der(fromRaw: jws.signature)
        if der == nil, Signature.raw(fromDER: jws.signature) != nil {
            der = jws.signature
            findings.append(
                Finding(.derSignature, "the signature is ASN.1 DER; a JWS has r‖s (IEEE P1363, 64 bytes)"))
        }
        guard let der else {
            let found =
                "the third part has \(jws.signature.count) bytes and is not an ES256 signature of 64 bytes; was it cut off?"
            return [Finding(.signatureMalformed, found)]
        }
        let keyID = Self.text(jws.header.member("kid"))
        let signer = keys.first { key in jws.messages.contains { key.isValid(signature: der, of: $0) } }
        guard let signer else {
            let found =
                "no key here made this signature over this header and these claims; they were changed, or another key signed"
            return findings + [Finding(.notOurs, found)]
        }
        if let keyID, !keyID.isEmpty, signer.id != keyID {
            findings.append(
                Finding(.otherKey, "the header names key \(Finding.quoted(keyID)), but key \(signer.id) made the signature"))
        }
        return findings
    }
}
