extension ObjectReader {
    /// An optional App Store transaction id: 1 to 64 visible ASCII characters.
    func optionalTransactionID(_ name: String) -> String? {
        guard let text = optionalText(name) else { return nil }
        guard text.utf8.count <= 64, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            refuse(name, "must be a transaction id of up to 64 visible ASCII characters")
            return nil
        }
        return text
    }

    /// A transaction id that must be there.
    func transactionID(_ name: String) -> String {
        if value(name) == nil { refuse(name, "is missing") }
        return optionalTransactionID(name) ?? ""
    }
}
