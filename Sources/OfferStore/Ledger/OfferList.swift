import FoundationEssentials

/// The products and offers of a request's signatures as the store keeps them: JSON, `[["product","offer"],…]`, which SQL can take apart.
enum OfferList {
    static func append(_ signatures: [LedgerSignature], to json: inout [UInt8]) {
        // By index: an iterator would copy each signature whole.
        for index in signatures.indices {
            append(raw: index == 0 ? "[[" : ",[", to: &json)
            append(signatures[index].productID, to: &json)
            append(raw: ",", to: &json)
            append(signatures[index].offerID, to: &json)
            append(raw: "]", to: &json)
        }
        append(raw: "]", to: &json)
    }

    /// Throws if it is anything but a list of pairs.
    static func read(_ json: String) throws -> [(productID: String, offerID: String)] {
        try JSONDecoder().decode([[String]].self, from: Data(json.utf8)).map { pair in
            guard pair.count == 2 else { throw StoreError(.damaged, "a list of offers in the ledger cannot be read") }
            return (pair[0], pair[1])
        }
    }

    private static func append(_ text: String, to json: inout [UInt8]) {
        var text = text
        append(raw: "\"", to: &json)
        text.withUTF8 { bytes in
            if isPlain(bytes) { json.append(contentsOf: bytes) } else { for byte in bytes { append(byte, to: &json) } }
        }
        append(raw: "\"", to: &json)
    }

    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in bytes where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        return true
    }

    private static func append(raw: StaticString, to json: inout [UInt8]) {
        json.append(contentsOf: UnsafeBufferPointer(start: raw.utf8Start, count: raw.utf8CodeUnitCount))
    }

    private static func append(_ byte: UInt8, to json: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
        case 0..<0x10: json += "\\u000\(String(byte, radix: 16))".utf8
        case 0x10..<0x20: json += "\\u00\(String(byte, radix: 16))".utf8
        default: json.append(byte)
        }
    }
}
