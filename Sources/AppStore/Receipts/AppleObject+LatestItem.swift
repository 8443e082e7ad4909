extension AppleObject {
    /// The single transaction of an answer or notification in the style of iOS 6; nil in the style of iOS 7, which has lists.
    var latestItem: ReceiptItem? {
        let names = ["latest_receipt_info", "latest_expired_receipt_info", "receipt"]
        return names.lazy.compactMap(object).compactMap(ReceiptItem.init).first
    }
}
