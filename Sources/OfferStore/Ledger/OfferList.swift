import FoundationEssentials
import WireText

/// The products and offers of a request's signatures as the store keeps them: JSON, `[["product","offer"],…]`, with the transaction id as
/// a third where each signature has its own. SQL can take it apart.
package enum OfferList {
    /// How many texts of an offer in the list are not personal; behind them stands a transaction id.
    package static let publicFields = 2

    /// One of them.
    package struct Offer {
        package let productID: String
        package let offerID: String
        package let transactionID: String?
    }

    /// Appends the list of these signatures.
    ///
    /// In place and by index: all else would count references for each signature.
    package static func append(_ signatures: UnsafeBufferPointer<LedgerSignature>, to bytes: inout [UInt8]) {
        JSONWriter.append(to: &bytes) { json in
            for index in signatures.indices {
                json.append(raw: index == 0 ? "[[" : ",[")
                json.append(signatures[index].productID)
                json.append(raw: ",")
                json.append(signatures[index].offerID)
                if let transactionID = signatures[index].transactionID {
                    json.append(raw: ",")
                    json.append(transactionID)
                }
                json.append(raw: "]")
            }
            json.append(raw: "]")
        }
    }

    /// Throws if it is no such list.
    package static func read(_ json: String) throws(StoreError) -> [Offer] {
        guard let list = try? JSONDecoder().decode([[String]].self, from: Data(json.utf8)),
            list.allSatisfy({ $0.count == 2 || $0.count == 3 })
        else { throw StoreError(.damaged, "a list of offers in the ledger cannot be read") }
        return list.map { Offer(productID: $0[0], offerID: $0[1], transactionID: $0.count == 3 ? $0[2] : nil) }
    }
}
