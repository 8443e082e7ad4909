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
}
