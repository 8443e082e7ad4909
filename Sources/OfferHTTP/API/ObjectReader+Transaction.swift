import OfferService

extension ObjectReader {
    /// Reads an optional App Store transaction id: 1 to 64 visible ASCII characters.
    func optionalTransactionID(_ name: String) -> String? {
        guard let text = optionalText(name) else { return nil }
        if let fault = Identifier.fault(ofTransactionID: text) {
            refuse(name, fault)
            return nil
        }
        return text
    }

    /// Reads a required App Store transaction id.
    package func transactionID(_ name: String) -> String {
        if value(name) == nil { refuse(name, "is missing") }
        return optionalTransactionID(name) ?? ""
    }
}
