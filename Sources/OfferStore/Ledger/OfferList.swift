import FoundationEssentials

/// The products and offers of a request's signatures as the store keeps them: JSON, `[["product","offer"],…]`, which SQL can take apart.
enum OfferList {
    static func append(_ signatures: [LedgerSignature], to json: inout [UInt8]) {
        for (index, signature) in signatures.enumerated() {
            json += index == 0 ? "[[".utf8 : ",[".utf8
            append(signature.productID, to: &json)
            json += ",".utf8
            append(signature.offerID, to: &json)
            json += "]".utf8
        }
        json += "]".utf8
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
        json += "\"".utf8
        text.withUTF8 { bytes in
            if bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                json += bytes
            } else {
                for byte in bytes { append(byte, to: &json) }
            }
        }
        json += "\"".utf8
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
