import AppStore
import EligibilityRules
import TestRandomness
import WireText

/// One customer's subscription, each purchase under one to three transaction ids, as the App Store's documents tell it.
struct CopiedLife {
    /// How the documents name purchases, and under which ids they show a refund.
    enum Naming { case one, many }

    struct Refund {
        let at: Instant
        var reversedAt: Instant?
        /// The places of the ids under which documents show it.
        let ids: [Int]
    }

    struct Purchase {
        let ids: [String]
        let lineItem: Int
        let product: String
        let start: Instant
        let end: Instant
        let offer: String?
        var upgradedAt: Instant?
        var refund: Refund?
        /// Added to the period of another purchase.
        var addsSeats = false
    }

    private struct Statement {
        let purchase: Int
        let id: Int
        var hasLineItem = true
        /// With a purchase date without fractions of seconds. What a document shows dates it, and the latest one tells the end.
        var isWhole = false
    }

    private enum Form {
        case signed(RefundNotice?)
        case receipt
        case oldReceipt
        case notificationV1(String)
        case renewal(willRenew: Bool)
    }

    private struct Document {
        let form: Form
        let at: Instant
        var statements: [Statement] = []
    }

    static let start = Instant(milliseconds: 1_700_000_000_000)
    static let original = "70000"
    private static let day: Int64 = 24 * 3_600_000

    private(set) var purchases: [Purchase] = []
    private var documents: [Document] = []
    private var random: SplitMix64

    /// After everything.
    let now = Self.start.advanced(by: 27 * day)
    /// Whether documents show each refund under all ids of the purchase.
    var showsRefundsEverywhere: Bool {
        purchases.allSatisfy { purchase in purchase.refund.map { $0.ids.count == purchase.ids.count } ?? true }
    }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        buy()
        documents = random.below(3) == 0 ? [] : receipts()
        for place in purchases.indices { tell(of: place) }
        documents.append(Document(form: .renewal(willRenew: random.below(2) == 0), at: later(than: purchases.last!.start)))
        documents.shuffle(using: &random)
    }

    /// Periods of three days.
    private mutating func buy() {
        var at = Self.start.advanced(by: Int64(random.below(1000)))
        let refunds = random.below(2) == 0
        for number in 0...random.any(of: [1, 3, 4, 6]) {
            let offer = number == 0 ? random.any(of: [nil, "trial"]) : random.any(of: [nil, nil, "half", "third"])
            add(at, product: number > 2 && random.once(in: 3) ? "premium" : "pro", offer: offer)
            let place = purchases.count - 1
            if random.once(in: 4) { addSeats(to: place) }
            at = purchases[place].end
            if random.once(in: 5) { at = at.advanced(by: Self.day) }
            if random.once(in: 6) {
                at = purchases[place].start.advanced(by: Self.day)
                purchases[place].upgradedAt = at
            }
            if refunds, random.below(2) == 0 { refund(place) }
        }
    }

    private mutating func add(_ start: Instant, product: String, offer: String?, addsSeats: Bool = false) {
        let number = purchases.count
        var ids = (0..<1 + random.below(3)).map { "7\(number)\(random.below(90) + 10)\($0)" }
        if number == 0 { ids[0] = Self.original }
        purchases.append(
            Purchase(
                ids: ids, lineItem: 5000 + number, product: product, start: start, end: start.advanced(by: 3 * Self.day),
                offer: offer, addsSeats: addsSeats))
    }

    private mutating func addSeats(to place: Int) {
        let other = purchases[place]
        // At the very instant, so that only the line item tells them apart, or later.
        let at = other.start.advanced(by: random.any(of: [0, Self.day / 2]))
        add(at, product: other.product, offer: nil, addsSeats: true)
    }

    private mutating func refund(_ place: Int) {
        let purchase = purchases[place]
        let at = (purchase.upgradedAt ?? purchase.start).advanced(by: 1000 * Int64(1 + random.below(80_000)))
        let ids = purchase.ids.indices.filter { _ in random.below(2) == 0 }
        purchases[place].refund = Refund(at: at, ids: ids.isEmpty ? [0] : ids)
        if random.once(in: 3) { purchases[place].refund!.reversedAt = at.advanced(by: Self.day / 4) }
    }

    private mutating func later(than instant: Instant) -> Instant {
        instant.advanced(by: Int64(random.next() % UInt64(now.milliseconds(since: instant))))
    }

    /// Adds documents about one purchase: something under each id, its refund, and the reversal of it.
    private mutating func tell(of place: Int) {
        let purchase = purchases[place]
        for id in purchase.ids.indices {
            for _ in 0...random.below(2) {
                let at = later(than: purchase.start)
                let isSigned = purchase.addsSeats || random.below(3) > 0
                var statement = Statement(purchase: place, id: id)
                if !isSigned { (statement.hasLineItem, statement.isWhole) = (random.below(2) == 0, random.below(2) == 0) }
                documents.append(Document(form: isSigned ? .signed(nil) : .oldReceipt, at: at, statements: [statement]))
            }
        }
        guard let refund = purchase.refund else { return }
        let told = Statement(purchase: place, id: random.any(of: refund.ids))
        // Of an upgraded period a notification V1 does not tell whether it was refunded.
        let isV1 = purchase.upgradedAt == nil && !purchase.addsSeats && random.below(2) == 0
        documents.append(Document(form: isV1 ? .notificationV1("REFUND") : .signed(nil), at: refund.at, statements: [told]))
        guard let reversedAt = refund.reversedAt else { return }
        let reversed = Statement(purchase: place, id: random.below(purchase.ids.count))
        documents.append(Document(form: .signed(.reversal), at: reversedAt, statements: [reversed]))
    }

    /// Some receipts, each with some ids of all purchases so far.
    private mutating func receipts() -> [Document] {
        (0..<3).map { _ in
            let at = later(than: Self.start.advanced(by: 1000))
            var statements: [Statement] = []
            let (hasLineItem, isWhole) = (random.below(2) == 0, random.below(2) == 0)
            for (place, purchase) in purchases.enumerated() where purchase.start <= at && !purchase.addsSeats {
                let ids = purchase.ids.indices.filter { _ in random.below(2) == 0 }
                for id in ids.isEmpty ? [0] : ids {
                    statements.append(Statement(purchase: place, id: id, hasLineItem: hasLineItem, isWhole: isWhole))
                }
            }
            let form = random.once(in: 3) ? Form.notificationV1("DID_RENEW") : .receipt
            return Document(form: form, at: at, statements: statements)
        }
    }

    /// The places of the documents in another order, some twice.
    mutating func order() -> [Int] {
        let all = Array(documents.indices)
        return (all + all.filter { _ in random.once(in: 4) }).shuffled(using: &random)
    }

    /// The place of the purchase with an id.
    func place(of id: String?) -> Int? { id.flatMap { id in purchases.firstIndex { $0.ids.contains(id) } } }
}

/// The documents in Apple's forms.
extension CopiedLife {
    /// What a document says.
    func chains(_ document: Int, _ naming: Naming) throws -> [PurchaseChain] {
        let document = documents[document]
        let json = { (text: String) throws in try JSONValue(parsing: Array(text.utf8)) }
        switch document.form {
        case .signed(let notice):
            let payload = try json(signed(document.statements[0], document.at, naming))
            return [SignedTransactionDecoder.chain(payload, notice: notice)!]
        case .renewal(let willRenew):
            let text = #"{"originalTransactionId":"\#(Self.original)","autoRenewProductId":"pro","autoRenewStatus":"#
            return [
                SignedRenewalInfoDecoder.chain(
                    try json(text + #"\#(willRenew ? 1 : 0),"signedDate":\#(document.at.milliseconds)}"#))!
            ]
        case .receipt:
            let receipt =
                #""receipt":{"bundle_id":"com.example.app","request_date_ms":"\#(document.at.milliseconds)","in_app":[]}"#
            let text = #"{"status":0,"environment":"Production",\#(receipt),"latest_receipt_info":\#(items(document, naming))}"#
            return ReceiptResponse(try json(text))!.history.chains
        case .oldReceipt:
            let item = items(document, naming).dropFirst().dropLast()
            return ReceiptResponse(try json(#"{"status":0,"receipt":\#(item)}"#), from: .production)!.history.chains
        case .notificationV1(let type):
            let unified = #""unified_receipt":{"latest_receipt_info":\#(items(document, naming))}"#
            return NotificationV1(try json(#"{"notification_type":"\#(type)","environment":"PROD",\#(unified)}"#))!.history.chains
        }
    }

    private func id(_ statement: Statement, _ naming: Naming) -> String {
        purchases[statement.purchase].ids[naming == .one ? 0 : statement.id]
    }

    /// When it was refunded, as far as a document of an instant shows it under an id.
    private func refundedAt(_ statement: Statement, _ at: Instant, _ naming: Naming) -> Instant? {
        guard let refund = purchases[statement.purchase].refund, refund.at <= at, refund.reversedAt.map({ at < $0 }) ?? true,
            naming == .one || refund.ids.contains(statement.id)
        else { return nil }
        return refund.at
    }

    private func signed(_ statement: Statement, _ at: Instant, _ naming: Naming) -> String {
        let purchase = purchases[statement.purchase]
        var fields = [
            #""transactionId":"\#(id(statement, naming))","originalTransactionId":"\#(Self.original)""#,
            #""webOrderLineItemId":"\#(purchase.lineItem)","productId":"\#(purchase.product)""#,
            #""subscriptionGroupIdentifier":"1","type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED""#,
            #""purchaseDate":\#(purchase.start.milliseconds),"originalPurchaseDate":\#(purchases[0].start.milliseconds)"#,
            #""expiresDate":\#(purchase.end.milliseconds),"signedDate":\#(at.milliseconds),"environment":"Production""#,
            #""price":\#(purchase.offer == "trial" ? 0 : 1000 + purchase.lineItem),"currency":"USD""#,
            #""transactionReason":"\#(statement.purchase == 0 || purchase.addsSeats ? "PURCHASE" : "RENEWAL")""#,
        ]
        if purchase.addsSeats { fields.append(#""additionalTransactionReason":"SEATS""#) }
        if let upgradedAt = purchase.upgradedAt, upgradedAt <= at { fields.append(#""isUpgraded":true"#) }
        if let refunded = refundedAt(statement, at, naming) {
            fields.append(#""revocationDate":\#(refunded.milliseconds),"revocationReason":1"#)
        }
        switch purchase.offer {
        case "trial": fields.append(#""offerType":1,"offerDiscountType":"FREE_TRIAL""#)
        case let offer?: fields.append(#""offerType":2,"offerIdentifier":"\#(offer)""#)
        case nil: break
        }
        return "{\(fields.joined(separator: ","))}"
    }

    private func items(_ document: Document, _ naming: Naming) -> String {
        "[\(document.statements.map { item($0, document.at, naming) }.joined(separator: ","))]"
    }

    private func item(_ statement: Statement, _ at: Instant, _ naming: Naming) -> String {
        let purchase = purchases[statement.purchase]
        func date(_ instant: Instant) -> String {
            #""\#(statement.isWhole ? instant.milliseconds / 1000 * 1000 : instant.milliseconds)""#
        }
        var fields = [
            #""transaction_id":"\#(id(statement, naming))","original_transaction_id":"\#(Self.original)""#,
            #""product_id":"\#(purchase.product)","purchase_date_ms":\#(date(purchase.start))"#,
            #""original_purchase_date_ms":\#(date(purchases[0].start)),"expires_date_ms":"\#(purchase.end.milliseconds)""#,
            #""is_trial_period":"\#(purchase.offer == "trial")""#,
        ]
        if statement.hasLineItem { fields.append(#""web_order_line_item_id":"\#(purchase.lineItem)""#) }
        if let offer = purchase.offer, offer != "trial" { fields.append(#""promotional_offer_id":"\#(offer)""#) }
        let upgradedAt = purchase.upgradedAt.flatMap { $0 <= at ? $0 : nil }
        if upgradedAt != nil { fields.append(#""is_upgraded":"true""#) }
        if let cancelled = refundedAt(statement, at, naming) ?? upgradedAt {
            fields.append(#""cancellation_date_ms":"\#(cancelled.milliseconds)""#)
        }
        return "{\(fields.joined(separator: ","))}"
    }
}
