import OfferService
import Testing

@Suite("Receipts as they were sent")
struct ReceiptTextTests {
    static let receipt = "MIITtgYJKoZIhvcNAQcCoIITpzCC+xMCAQExCzAJBgUr/gMCGgUAMIIDVwYJxw=="

    @Test(
        "Line breaks and white space at the ends of lines do no harm",
        arguments: ["\n", "\r\n", "\r", " \n", "\t\r\n  ", "\n\n"])
    func lineBreaks(separator: String) throws {
        let (first, second) = (Self.receipt.prefix(32), Self.receipt.dropFirst(32))
        #expect(try ReceiptText.read("\(first)\(separator)\(second)") == Self.receipt)
        #expect(try ReceiptText.read("\(separator)\(Self.receipt)\(separator)") == Self.receipt)
        #expect(try ReceiptText.read(Self.receipt) == Self.receipt)
        #expect(try ReceiptText.read("\u{FEFF}\(Self.receipt)") == Self.receipt)
    }

    @Test(
        "What happened to a receipt, or what it is instead, is named",
        arguments: [
            (receipt.replacing("+", with: "-").replacing("/", with: "_"), "URL-safe"),
            (receipt.replacing("/", with: "_"), "URL-safe"),
            (receipt.replacing("+", with: " "), "each + became a space"),
            (receipt.replacing("+", with: " ").replacing("TtgY", with: "T\ntgY"), "each + became a space"),
            (receipt.replacing("+", with: "%2B").replacing("=", with: "%3D"), "percent-encoded"),
            (receipt.replacing("TtgY", with: "T\\ntgY"), "written as \\n"),
            ("eyJhbGciOiJFUzI1NiJ9.eyJ0IjoxfQ.c2ln", "JWS of StoreKit 2, and not a receipt; it belongs in signedTransactions"),
            (#"{"Store":"AppleAppStore","TransactionID":"1","Payload":"\#(receipt)"}"#, "field Payload"),
            (#" {"receipt":"\#(receipt)"}"#, "JSON object"), ("-----BEGIN PKCS7-----\n\(receipt)\n-----END PKCS7-----", "PEM"),
            (#"{\"Store\":\"AppleAppStore\",\"Payload\":\"\#(receipt)\"}"#, "field Payload"),
            ("\"\(receipt)\"", "quotation marks"), ("data:application/octet-stream;base64,\(receipt)", "data: URL"),
            ("308213b606092a864886f70d010702a0", "hexadecimal"), ("<308213b6 06092a86>", "NSData"),
            ("{length = 5046, bytes = 0x308213b6 06092a86 ... }", "NSData"), ("[object Object]", "JavaScript object"),
            (receipt.replacing("=", with: ""), "not whole"), (String(receipt.prefix(30)), "not whole"),
            ("TUlJVHRnWUpLb1pJaHZjTkFRY0NvSUlUcHpDQw==", "Base64 of Base64"), ("", "standard Base64"), (" \n", "standard Base64"),
            ("nïl", "standard Base64"), ("a,b", "standard Base64"),
        ] as [(String, String)])
    func mistakes(text: String, words: String) throws {
        let mistake = try #require(throws: ReceiptText.Mistake.self) { try ReceiptText.read(text) }
        #expect(mistake.reason.contains(words))
        #expect(!mistake.reason.contains("MII"))
    }
}
