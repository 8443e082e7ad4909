import FoundationEssentials
import WireText

/// The stored list of a request's products and offers.
///
/// It is JSON, `[["product","offer"],…]`, which SQL can parse. The transaction id is a third text where each signature has its
/// own.
package enum OfferList {
    /// The number of non-personal texts of an offer in the list. A transaction id may follow them.
    package static let publicFields = 2

    /// An offer in the list.
    package struct Offer {
        package let productID: String
        package let offerID: String
        package let transactionID: String?
    }

    /// Appends the list of these signatures.
    ///
    /// Works in place and by index, which avoids reference counting for each signature.
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

    /// Parses a list. Throws `damaged` if it is malformed.
    package static func read(_ json: String) throws(StoreError) -> [Offer] {
        guard let list = try? JSONDecoder().decode([[String]].self, from: Data(json.utf8)),
            list.allSatisfy({ $0.count == 2 || $0.count == 3 })
        else { throw StoreError(.damaged, "a list of offers in the ledger cannot be read") }
        return list.map { Offer(productID: $0[0], offerID: $0[1], transactionID: $0.count == 3 ? $0[2] : nil) }
    }
}
