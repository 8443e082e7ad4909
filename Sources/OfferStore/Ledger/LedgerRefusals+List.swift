import FoundationEssentials
import WireText

extension LedgerRefusals {
    /// How many texts of an offer in the list are not personal; behind them stands the transaction that decided.
    package static let publicFields = 3

    /// The offers as the store keeps them: JSON, `[["product","offer","reason"],…]`, with the transaction that decided as a fourth.
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

    /// Reads such a list. Throws if it is none.
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
