import FoundationEssentials

/// The products and offers of a request's signatures as the store keeps them: JSON, `[["product","offer"],…]`, with the transaction id as
/// a third where each signature has its own. SQL can take it apart.
enum OfferList {
    struct Offer {
        let productID: String
        let offerID: String
        let transactionID: String?
    }

    // In place and by index: all else would count references for each signature.
    static func append(_ signatures: UnsafeBufferPointer<LedgerSignature>, to json: inout [UInt8]) throws {
        for index in signatures.indices {
            append(raw: index == 0 ? "[[" : ",[", to: &json)
            try append(signatures[index].productID, to: &json)
            append(raw: ",", to: &json)
            try append(signatures[index].offerID, to: &json)
            if let transactionID = signatures[index].transactionID {
                append(raw: ",", to: &json)
                try append(transactionID, to: &json)
            }
            append(raw: "]", to: &json)
        }
        append(raw: "]", to: &json)
    }

    /// Throws if it is no such list.
    static func read(_ json: String) throws(StoreError) -> [Offer] {
        guard let list = try? JSONDecoder().decode([[String]].self, from: Data(json.utf8)),
            list.allSatisfy({ $0.count == 2 || $0.count == 3 })
        else { throw StoreError(.damaged, "a list of offers in the ledger cannot be read") }
        return list.map { Offer(productID: $0[0], offerID: $0[1], transactionID: $0.count == 3 ? $0[2] : nil) }
    }

    private static func append(_ text: String, to json: inout [UInt8]) throws {
        var plain = text
        let isDone = plain.withUTF8 { bytes in
            guard isPlain(bytes) else { return false }
            append(raw: "\"", to: &json)
            json.append(contentsOf: bytes)
            append(raw: "\"", to: &json)
            return true
        }
        // Foundation knows how to escape, but takes as long as a signature.
        if !isDone { json += try JSONEncoder().encode(text) }
    }

    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // To the end in any case: without a way out of the loop it is done 16 bytes at a time.
        var found: UInt8 = 0
        for byte in bytes { found |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0) }
        return found == 0
    }

    private static func append(raw: StaticString, to json: inout [UInt8]) {
        json.append(contentsOf: UnsafeBufferPointer(start: raw.utf8Start, count: raw.utf8CodeUnitCount))
    }
}
