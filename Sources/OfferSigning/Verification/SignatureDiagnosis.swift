import WireText

/// Finds out what is wrong with a signature that StoreKit refuses.
///
/// StoreKit does not say which field is wrong. The diagnosis therefore undoes each usual mistake, and then each pair of them,
/// until the signature verifies. The mistakes that it has undone are the findings.
public struct SignatureDiagnosis: Sendable {
    private static let clockTolerance: Int64 = 5 * 60 * 1000
    private static let maxDeviations = 2
    /// The most combinations that are tried, because each takes a verification. With many keys and apps, not every pair of
    /// mistakes is tried.
    private static let maxVerifications = 1000

    let keys: [SigningKey]
    private let bundleIDs: [String]
    let revokedKeyIDs: Set<String>

    /// - Parameters:
    ///   - keys: all keys that may have made the signature.
    ///   - bundleIDs: all apps that the signature may have been made for.
    ///   - revokedKeyIDs: the ids of the revoked keys, whose signatures the App Store refuses.
    public init(keys: [SigningKey], bundleIDs: [String], revokedKeyIDs: Set<String> = []) {
        self.keys = keys
        self.bundleIDs = bundleIDs
        self.revokedKeyIDs = revokedKeyIDs
    }

    /// Returns the mistakes; empty for a signature that the App Store accepts at the time `now`, which is in ms since 1970.
    ///
    /// It takes up to 2,000 verifications of about 60 µs each, so do not call it on an event loop.
    public func findings(for presented: PresentedSignature, now: Int64) -> [Finding] {
        var (der, findings) = SignatureText.decode(presented.signature)
        findings += SignatureDiagnosis.shape(of: presented)
        guard let der else { return findings }
        if keys.allSatisfy({ $0.id != presented.keyID }) {
            findings.append(Finding(.unknownKey, "no key \(presented.keyID) is known here for this app"))
        }
        if revokedKeyIDs.contains(presented.keyID) {
            findings.append(Finding(.keyRevoked, "key \(presented.keyID) is revoked: the App Store refuses its signatures"))
        }
        guard let undone = deviations(of: presented, der: der) else {
            return findings + SignatureDiagnosis.unexplained(presented)
        }
        for finding in undone where !findings.contains(where: { $0.code == finding.code }) { findings.append(finding) }
        let milliseconds = presented.timestamp < 100_000_000_000 ? presented.timestamp * 1000 : presented.timestamp
        return findings + SignatureDiagnosis.age(of: milliseconds, now: now)
    }

    private static func unexplained(_ presented: PresentedSignature) -> [Finding] {
        let notOurs = Finding(
            .notOurs,
            "no key here made this signature over these fields, even with the usual mistakes undone; "
                + "compare productId, offerId and applicationUsername with the answer that carried the signature"
        )
        guard presented.applicationUsername.isEmpty else { return [notOurs] }
        // The value that was signed cannot be guessed. But field 5 is the one that apps forget most often, so it is mentioned.
        let missing = Finding(
            .usernameMissing,
            "applicationUsername is empty here; if one was signed, such as an appAccountToken, give StoreKit exactly that")
        return [notOurs, missing]
    }

    /// Returns the findings of the first combination of values with which the signature verifies; nil if there is none.
    private func deviations(of presented: PresentedSignature, der: [UInt8]) -> [Finding]? {
        let variants = PayloadVariants(presented, otherBundleIDs: bundleIDs, keyIDs: keys.map(\.id))
        var left = SignatureDiagnosis.maxVerifications
        for count in 0...SignatureDiagnosis.maxDeviations {
            for combination in variants.combinations(deviations: count) where left > 0 {
                if verifies(combination, presented, der, &left) { return combination.compactMap(\.finding) }
            }
        }
        return signedByAnother(presented, der) ?? millisecondsOfSecond(presented, der)
    }

    /// Checks whether the payload names one key, but the signature was made with another key.
    private func signedByAnother(_ presented: PresentedSignature, _ der: [UInt8]) -> [Finding]? {
        let message = presented.message(nonce: presented.nonce, timestamp: presented.timestamp)
        guard let key = keys.first(where: { $0.isValid(signature: der, of: message) }) else { return nil }
        return [Finding(.otherKey, "the payload names key \(presented.keyID), but key \(key.id) made the signature")]
    }

    private func verifies(
        _ reading: [PayloadVariants.Reading],
        _ presented: PresentedSignature,
        _ der: [UInt8],
        _ left: inout Int
    ) -> Bool {
        let separator = reading[2].value
        let fields = [
            reading[0].value, reading[1].value, presented.productID, presented.offerID, reading[3].value,
            reading[4].value, reading[5].value,
        ]
        let message = Array((fields.joined(separator: separator) + reading[2].end).utf8)
        let candidates = candidates(for: reading[1].value)
        left -= candidates.count
        return candidates.contains { $0.isValid(signature: der, of: message) }
    }

    // If the payload contains an unknown key id, a known key may still have signed it, so all keys are tried.
    private func candidates(for keyID: String) -> [SigningKey] {
        let named = keys.filter { $0.id == keyID }
        return named.isEmpty ? keys : named
    }

    /// Tries all thousand timestamps of a second, for a timestamp that was cut down to seconds.
    private func millisecondsOfSecond(_ presented: PresentedSignature, _ der: [UInt8]) -> [Finding]? {
        guard (1_000_000_000..<10_000_000_000).contains(presented.timestamp),
            let key = keys.first(where: { $0.id == presented.keyID })
        else { return nil }
        for millisecond in 0..<Int64(1000) {
            let timestamp = presented.timestamp * 1000 + millisecond
            let message = presented.message(nonce: presented.nonce.lowercased(), timestamp: timestamp)
            if key.isValid(signature: der, of: message) {
                return [Finding(.timestampInSeconds, "the timestamp is in seconds; it was signed as \(timestamp) ms")]
            }
        }
        return nil
    }

    private static func shape(of presented: PresentedSignature) -> [Finding] {
        var findings = shape(ofNonce: presented.nonce)
        if presented.timestamp.magnitude < 100_000_000_000 {
            findings.append(Finding(.timestampInSeconds, "the timestamp looks like seconds; milliseconds are wanted"))
        }
        return findings
    }

    static func shape(ofNonce nonce: String) -> [Finding] {
        let hexadecimal = Set("0123456789abcdefABCDEF-")
        if nonce.utf8.count != 36 || !nonce.allSatisfy({ hexadecimal.contains($0) }) {
            return [Finding(.nonceNotUUID, "the nonce is not a UUID of 36 characters")]
        }
        guard nonce.contains(where: \.isUppercase) else { return [] }
        return [Finding(.nonceUpperCase, "the nonce has upper-case letters; the App Store wants lower case")]
    }

    /// - Parameter milliseconds: the time of the signature.
    static func age(of milliseconds: Int64, now: Int64) -> [Finding] {
        if now - milliseconds > SignatureValidity.duration {
            return [Finding(.expired, "it was signed more than 24 hours ago; every purchase needs a new signature")]
        }
        if milliseconds - now > clockTolerance {
            return [Finding(.timestampInFuture, "its timestamp lies in the future; the clock that made it is fast")]
        }
        return []
    }
}
