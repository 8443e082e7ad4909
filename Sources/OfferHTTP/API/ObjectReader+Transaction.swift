import OfferService

extension ObjectReader {
    /// An optional App Store transaction id: 1 to 64 visible ASCII characters.
    func optionalTransactionID(_ name: String) -> String? {
        guard let text = optionalText(name) else { return nil }
        if let fault = Identifier.fault(ofTransactionID: text) {
            refuse(name, fault)
            return nil
        }
        return text
    }

    /// A transaction id that must be there.
    package func transactionID(_ name: String) -> String {
        if value(name) == nil { refuse(name, "is missing") }
        return optionalTransactionID(name) ?? ""
    }
}
