import EligibilityRules
import OfferSigning
import WireText

/// What a receipt of the iOS 7 style says by itself (docs/app-store.md#receipts).
///
/// Each purchase is read as the part of verifyReceipt's answer that it is, so that both give the same history.
struct AppReceipt {
    /// What begins at an instant.
    private struct Purchase: Hashable {
        let originalID: String?
        let purchasedAt: Instant?
    }

    /// A receipt shows the whole account only as of its creation. So much later it may lack purchases, in ms.
    private static let freshness: Int64 = 24 * 3_600_000
    private static let environments = [
        "Production": "Production", "ProductionVPP": "Production", "ProductionSandbox": "Sandbox",
        "ProductionVPPSandbox": "Sandbox",
    ]

    /// When the App Store made and signed it.
    let createdAt: Instant
    private let type: String
    private let bundleID: String
    // The bytes of each. As fields they take many times the memory, so they are read one after the other.
    private let purchases: [ArraySlice<UInt8>]

    /// Nil if the content is no receipt: the environment, the bundle id or the date is missing, or a purchase cannot be read whole.
    init?(_ content: [UInt8]) {
        guard let fields = ReceiptFields(content[...]), let type = fields.text(0), let bundleID = fields.text(2),
            let createdAt = fields.text(12).flatMap(AppleDate.instant)
        else { return nil }
        purchases = fields.all(17)
        guard purchases.allSatisfy({ ReceiptFields($0).map(Self.isReadable) ?? false }) else { return nil }
        (self.type, self.bundleID, self.createdAt) = (type, bundleID, createdAt)
    }

    /// Whether a purchase has its product, its transaction and its date. A date that cannot be read is kept (`ReceiptItem`).
    private static func isReadable(_ item: ReceiptFields) -> Bool { [1702, 1703, 1704].allSatisfy { item.text($0) != nil } }

    /// What verifyReceipt would say of it, as far as the receipt says it.
    func response(at now: Instant) -> ReceiptResponse {
        var bought: Set<Purchase> = []
        for fields in purchases.lazy.compactMap(ReceiptFields.init) {
            bought.insert(Purchase(originalID: fields.text(1705), purchasedAt: fields.text(1704).flatMap(AppleDate.instant)))
        }
        let items = purchases.lazy.compactMap(ReceiptFields.init).compactMap { fields in
            AppleObject(item(fields, besides: bought)).flatMap(ReceiptItem.init)
        }
        return ReceiptResponse(
            Array(items), of: bundleID,
            // An environment that is not known here stays one of its own.
            in: PurchaseEnvironment(appleText: Self.environments[type] ?? type), asOf: createdAt,
            showsAccount: now.milliseconds(since: createdAt) <= Self.freshness)
    }

    private func item(_ fields: ReceiptFields, besides bought: Set<Purchase>) -> JSONValue {
        let cancelledAt = fields.text(1712).flatMap(AppleDate.instant)
        // A receipt marks no upgrade, but the new period begins at the instant at which the old one is cancelled.
        let isUpgraded = cancelledAt != nil && bought.contains(Purchase(originalID: fields.text(1705), purchasedAt: cancelledAt))
        let members: [(name: String, value: JSONValue?)] = [
            ("product_id", fields.text(1702).map(JSONValue.string)), ("transaction_id", fields.text(1703).map(JSONValue.string)),
            ("original_transaction_id", fields.text(1705).map(JSONValue.string)),
            ("web_order_line_item_id", fields.integer(1711).map { .number("\($0)") }),
            ("purchase_date", fields.text(1704).map(JSONValue.string)),
            ("original_purchase_date", fields.text(1706).map(JSONValue.string)),
            ("expires_date", fields.text(1708).map(JSONValue.string)),
            ("cancellation_date", fields.text(1712).map(JSONValue.string)),
            ("is_trial_period", fields.integer(1713).map { .number("\($0)") }),
            ("is_in_intro_offer_period", fields.integer(1719).map { .number("\($0)") }),
            // Not in Apple's list of fields, but public readers of receipts agree on it.
            ("promotional_offer_id", fields.text(1721).map(JSONValue.string)), ("is_upgraded", isUpgraded ? .bool(true) : nil),
        ]
        return .object(members.compactMap { member in member.value.map { JSONValue.Member(name: member.name, value: $0) } })
    }
}

/// The numbered fields of a receipt, or of a purchase in one: a SET of SEQUENCEs of number, version and value.
struct ReceiptFields {
    /// A receipt has some two dozen, and one for each purchase.
    private static let maxCount = 50_000

    private var fields: [(number: Int64, value: ArraySlice<UInt8>)] = []

    /// Nil if the bytes are anything else, or have more than 50,000 fields.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let set = ASN1Element(bytes), set.tag == ASN1Element.Tag.set else { return nil }
        var rest = set.content
        while !rest.isEmpty {
            guard let sequence = ASN1Element(takenFrom: &rest), sequence.tag == ASN1Element.Tag.sequence else { return nil }
            var parts = sequence.content
            guard let number = ASN1Element(takenFrom: &parts)?.integer, ASN1Element(takenFrom: &parts) != nil,
                let value = ASN1Element(takenFrom: &parts), value.tag == ASN1Element.Tag.octetString,
                fields.count < Self.maxCount
            else { return nil }
            fields.append((number, value.content))
        }
    }

    /// A text that is not empty.
    func text(_ number: Int64) -> String? { element(number)?.text }

    /// A whole number from 0 on.
    func integer(_ number: Int64) -> Int64? { element(number)?.integer }

    /// The values of a field that repeats.
    func all(_ number: Int64) -> [ArraySlice<UInt8>] { fields.filter { $0.number == number }.map(\.value) }

    private func element(_ number: Int64) -> ASN1Element? {
        fields.first { $0.number == number }.flatMap { ASN1Element($0.value) }
    }
}
