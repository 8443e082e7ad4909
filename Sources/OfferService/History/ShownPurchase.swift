/// What a client shows of its user's purchases.
enum ShownPurchase: Sendable {
    /// The customer's own purchases: the first original transaction.
    case own(transactionID: String?)
    /// Purchases of another customer: the Apple account that bought them.
    case others(appTransactionID: String)

    var transactionID: String? { if case .own(let id) = self { id } else { nil } }
    var appTransactionID: String? { if case .others(let id) = self { id } else { nil } }
}
