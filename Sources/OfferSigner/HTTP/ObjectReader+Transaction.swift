extension ObjectReader {
    /// An optional App Store transaction id: 1 to 64 visible ASCII characters.
    func optionalTransactionID(_ name: String) -> String? {
        guard let text = optionalText(name) else { return nil }
        if let fault = ObjectReader.fault(ofTransactionID: text) {
            refuse(name, fault)
            return nil
        }
        return text
    }

    /// What keeps a text from being a transaction id; nil if nothing does.
    static func fault(ofTransactionID text: String) -> String? {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "must be a transaction id of up to 64 visible ASCII characters"
        }
        return nil
    }

    /// A transaction id that must be there.
    func transactionID(_ name: String) -> String {
        if value(name) == nil { refuse(name, "is missing") }
        return optionalTransactionID(name) ?? ""
    }
}
