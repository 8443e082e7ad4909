/// What the signed transactions of a request show.
enum ShownPurchase: Sendable {
    /// The purchases are the customer's own.
    ///
    /// The value is the id of the first original transaction; nil if there is none.
    case own(transactionID: String?)
    /// The purchases belong to another customer.
    ///
    /// The value is the id of the Apple account that bought them.
    case others(appTransactionID: String)

    var transactionID: String? { if case .own(let id) = self { id } else { nil } }
    var appTransactionID: String? { if case .others(let id) = self { id } else { nil } }
}
