extension AppleObject {
    /// The one transaction of a document of the old style; nil in the style of iOS 7.
    var latestItem: ReceiptItem? {
        let names = ["latest_receipt_info", "latest_expired_receipt_info", "receipt"]
        return names.lazy.compactMap(object).compactMap(ReceiptItem.init).first
    }
}
