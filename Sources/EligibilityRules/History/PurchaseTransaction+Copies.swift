/// A purchase can have several transaction ids: restoring it, or using several devices with StoreKit 1, makes further ones.
extension PurchaseTransaction {
    /// All transaction ids of the purchase, in the order of their bytes.
    public var ids: [String] { [id] + otherIDs }

    /// Whether an id is one of the purchase's transaction ids.
    public func hasID(_ other: String) -> Bool {
        let other = ExactText(other)
        return ExactText(id) == other || otherIDs.contains { ExactText($0) == other }
    }

    /// Whether two transactions have an id in common.
    ///
    /// The same purchase may have had fewer ids before a source showed another one.
    func isSamePurchase(as other: PurchaseTransaction) -> Bool { other.ids.contains(where: hasID) }

    /// Merges what sources say about one purchase under each of its ids.
    ///
    /// - Parameter copies: at least one, in any order.
    init(copies: [PurchaseTransaction]) {
        let copies = copies.sorted { TextOrder.precedes($0.id, $1.id) }
        self = copies.dropFirst().reduce(copies[0]) { $0.merged(with: $1) }
        otherIDs = copies.dropFirst().flatMap(\.ids)
        // If the App Store has refunded a purchase under one id, it may still call it valid under another id. Only the
        // statement that a refund was reversed undoes the refund.
        let refunded = copies.filter { $0.revocation?.value.instant != nil && !$0.revocation.isBefore(reversal) }
        let cancelled = copies.filter { !$0.isCancellationUndone && !$0.cancellation.isBefore(reversal) }
        let refund: Stamped<Revocation>? = refunded.reduce(nil) { $0.merged(with: $1.revocation) }
        cancellation = cancelled.reduce(nil) { $0.merged(with: $1.cancellation) }
        revocation = refund ?? (cancellation == nil ? revocation.map { Stamped(.none, $0.stamp) } : nil)
        particulars = refunded.reduce(nil) { $0.merged(with: $1.particulars) } ?? particulars
        // A refund of some seats comes without a revocation.
        let returned = copies.filter { copy in
            let isShare = copy.sale?.refund.map { $0.value != .none && !$0.isBefore(reversal) } ?? false
            return isShare || refunded.contains { ExactText($0.id) == ExactText(copy.id) }
        }
        if let share = returned.reduce(nil, { $0.merged(with: $1.sale?.refund) }) { sale?.refund = share }
    }
}

extension Stamped {
    fileprivate func isBefore(_ other: Stamp?) -> Bool { other.map { stamp < $0 } ?? false }
}

extension Optional {
    fileprivate func isBefore<Value>(_ stamp: Stamp?) -> Bool where Wrapped == Stamped<Value> {
        self?.isBefore(stamp) ?? false
    }
}

/// Finds the statements under different transaction ids that are about the same purchase.
///
/// These are the statements with the same product and the same line item (`webOrderLineItemId`). A statement without a line
/// item is about the purchase of its product in the same second: receipts may leave out fractions of seconds.
/// Seats may be added at any instant of a period. Purchases that share a period are therefore distinguished by the line item
/// only.
enum PurchaseCopies {
    private struct LineItem: Hashable {
        let productID: ExactText
        let id: ExactText

        init?(_ statement: PurchaseTransaction) {
            guard let id = statement.lineItemID else { return nil }
            (productID, self.id) = (ExactText(statement.productID), ExactText(id))
        }
    }

    private struct Moment: Hashable {
        let productID: ExactText
        let second: Int64

        init?(_ statement: PurchaseTransaction) {
            guard !statement.sharesPeriod else { return nil }
            (productID, second) = (ExactText(statement.productID), statement.second)
        }
    }

    /// Returns one transaction for each purchase.
    ///
    /// The result depends only on what the statements say, not on the order in which they arrived.
    ///
    /// - Parameter statements: ordered by purchase date, one for each id.
    static func merged(_ statements: [PurchaseTransaction]) -> [PurchaseTransaction] {
        guard mayBeCopies(statements) else { return statements }
        var groups: [[PurchaseTransaction]] = []
        var (ofLineItem, ofMoment): ([LineItem: Int], [Moment: Int]) = ([:], [:])
        func add(_ statement: PurchaseTransaction, _ known: Int?) -> Int {
            if let known { groups[known].append(statement) } else { groups.append([statement]) }
            return known ?? groups.count - 1
        }
        // Sorted by line item, so that the result is the same every time: if several purchases were made in one second, the
        // first of them gets the statements without a line item.
        let named = statements.filter { $0.lineItemID != nil }.sorted { TextOrder.precedes($0.lineItemID!, $1.lineItemID!) }
        for statement in named {
            let item = LineItem(statement)!
            let group = add(statement, ofLineItem[item])
            ofLineItem[item] = group
            if let moment = Moment(statement), ofMoment[moment] == nil { ofMoment[moment] = group }
        }
        for statement in statements where statement.lineItemID == nil {
            let moment = Moment(statement)
            let group = add(statement, moment.flatMap { ofMoment[$0] })
            if let moment { ofMoment[moment] = group }
        }
        return groups.count == statements.count ? statements : groups.map(PurchaseTransaction.init(copies:))
    }

    /// Whether two statements have the same line item or the same second, which is rare.
    private static func mayBeCopies(_ statements: [PurchaseTransaction]) -> Bool {
        var items: Set<ExactText> = []
        for (index, statement) in statements.enumerated() {
            if index > 0, statements[index - 1].second == statement.second { return true }
            if let item = statement.lineItemID, !items.insert(ExactText(item)).inserted { return true }
        }
        return false
    }
}

extension PurchaseTransaction {
    /// The time of the purchase in whole seconds since 1970, rounded down.
    fileprivate var second: Int64 {
        let (second, rest) = purchasedAt.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? second - 1 : second
    }
}
