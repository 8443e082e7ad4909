import Foundation
import OfferSigning
import Testing

@Suite("Offer payload")
struct OfferPayloadTests {
    private static let nonce = UUID(uuidString: "20fba8a0-2b80-4a7d-a17f-85c1854727f8")!

    private func payload(
        bundleID: String = "bundleId",
        keyID: String = "keyId",
        productID: String = "productId",
        offerID: String = "offerId",
        username: String
    ) throws -> OfferPayload {
        try OfferPayload(
            bundleID: bundleID, keyID: keyID, productID: productID, offerID: offerID, applicationUsername: username,
            nonce: OfferPayloadTests.nonce, timestamp: 1_698_148_900_000)
    }

    @Test(
        "The bytes are those derived from Apple's description",
        arguments: [
            // Apple's libraries lower-case field 5 before they join; the published digest is of that text.
            ("appaccounttoken", 111, "8c7c02a364d7196e9c88815aeecb5e130fd00132172defbb54a75ef9807360ee"),
            ("", 96, "f081e3b059b75bdd7757e385b218131ab581109c6dc9740c67b5668ea7b30391"),
        ])
    func checkValues(username: String, length: Int, digest: String) throws {
        let bytes = try payload(username: username).bytes
        #expect(bytes.count == length)
        #expect(Crypto.hexadecimal(Crypto.sha256(bytes)) == digest)
    }

    @Test("Text is taken byte for byte: NFC and NFD differ")
    func normalisationForms() throws {
        #expect(try payload(username: "\u{E9}").bytes != payload(username: "e\u{301}").bytes)
    }

    @Test("A separator inside a field is refused", arguments: ["\u{2063}", "a\u{2063}b", "é\u{2063}"])
    func forgedBoundary(text: String) {
        let forged = SigningError(.fieldContainsSeparator, "")
        #expect(throws: forged) { try payload(bundleID: text, username: "") }
        #expect(throws: forged) { try payload(keyID: text, username: "") }
        #expect(throws: forged) { try payload(productID: text, username: "") }
        #expect(throws: forged) { try payload(offerID: text, username: "") }
        #expect(throws: forged) { try payload(username: text) }
    }

    @Test("Only field 5 may be empty")
    func emptyFields() throws {
        let empty = SigningError(.fieldEmpty, "")
        #expect(throws: empty) { try payload(bundleID: "", username: "") }
        #expect(throws: empty) { try payload(keyID: "", username: "") }
        #expect(throws: empty) { try payload(productID: "", username: "") }
        #expect(throws: empty) { try payload(offerID: "", username: "") }
    }

    @Test(
        "A UUID is lower-cased, anything else is left alone",
        arguments: [
            ("20FBA8A0-2B80-4A7D-A17F-85C1854727F8", "20fba8a0-2b80-4a7d-a17f-85c1854727f8"),
            ("User-ABC", "User-ABC"), ("20FBA8A0-2B80-4A7D-A17F-85C1854727F", "20FBA8A0-2B80-4A7D-A17F-85C1854727F"),
            ("20FBA8A0X2B80-4A7D-A17F-85C1854727F8", "20FBA8A0X2B80-4A7D-A17F-85C1854727F8"), ("", ""),
        ])
    func usernames(given: String, signed: String) {
        #expect(OfferPayload.normalisedUsername(given) == signed)
    }
}
