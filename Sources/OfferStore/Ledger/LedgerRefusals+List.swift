import FoundationEssentials
import WireText

extension LedgerRefusals {
    /// The number of non-personal texts of an offer in the list. The transaction that decided follows them.
    package static let publicFields = 3

    /// The stored list: JSON, `[["product","offer","reason"],…]`, with the transaction that decided as an optional fourth text.
    package var list: [UInt8] {
        JSONWriter.bytes { json in
            for (index, offer) in offers.enumerated() {
                json.append(raw: index == 0 ? "[[" : ",[")
                json.append(offer.productID)
                for text in [offer.offerID, offer.reason, offer.evidence].compactMap(\.self) {
                    json.append(raw: ",")
                    json.append(text)
                }
                json.append(raw: "]")
            }
            json.append(raw: "]")
        }
    }

    /// Parses such a list. Throws `damaged` if it is malformed.
    package static func offers(_ list: String) throws(StoreError) -> [Offer] {
        guard let list = try? JSONDecoder().decode([[String]].self, from: Data(list.utf8)),
            !list.isEmpty, list.allSatisfy({ (publicFields...publicFields + 1).contains($0.count) })
        else { throw StoreError(.damaged, "a list of refused offers cannot be read") }
        return list.map {
            Offer(
                productID: $0[0], offerID: $0[1], reason: $0[2], evidence: $0.count > publicFields ? $0[publicFields] : nil)
        }
    }
}
