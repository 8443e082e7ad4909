import EligibilityRules
import OfferSigning
import WireText

/// Reads a receipt of the iOS 7 style without asking the App Store about it (docs/app-store.md#receipts).
///
/// Each purchase is converted to the form that it has in an answer of verifyReceipt, so that both sources give the same history.
struct AppReceipt {
    /// Identifies a period of a subscription by the subscription and the beginning of the period.
    private struct Purchase: Hashable {
        let originalID: String?
        let purchasedAt: Instant?
    }

    /// How long after its creation a receipt counts as showing all purchases of the Apple account, in ms. After that, purchases
    /// that were made since may be missing.
    private static let freshness: Int64 = 24 * 3_600_000
    private static let environments = [
        "Production": "Production", "ProductionVPP": "Production", "ProductionSandbox": "Sandbox",
        "ProductionVPPSandbox": "Sandbox",
    ]

    /// When the App Store made and signed it.
    let createdAt: Instant
    private let type: String
    private let bundleID: String
    // The bytes of each purchase, not parsed yet. Parsed purchases take many times the memory, so they are parsed one by one.
    private let purchases: [ArraySlice<UInt8>]

    /// Returns nil if the environment, the bundle id or the date is missing, or if a purchase lacks its product, id or date.
    init?(_ content: [UInt8]) {
        guard let fields = ReceiptFields(content[...]), let type = fields.text(0), let bundleID = fields.text(2),
            let createdAt = fields.text(12).flatMap(AppleDate.instant)
        else { return nil }
        purchases = fields.all(17)
        guard purchases.allSatisfy({ ReceiptFields($0).map(Self.isReadable) ?? false }) else { return nil }
        (self.type, self.bundleID, self.createdAt) = (type, bundleID, createdAt)
    }

    /// Whether a purchase has a product, a transaction id and a date. A date whose text cannot be read counts, too
    /// (`ReceiptItem`).
    private static func isReadable(_ item: ReceiptFields) -> Bool { [1702, 1703, 1704].allSatisfy { item.text($0) != nil } }

    /// Returns the answer that verifyReceipt would give, as far as the receipt itself contains it.
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
            // A receipt type that is not known here becomes an environment that is not known, so that the receipt is not used.
            in: PurchaseEnvironment(appleText: Self.environments[type] ?? type), asOf: createdAt,
            showsAccount: now.milliseconds(since: createdAt) <= Self.freshness)
    }

    private func item(_ fields: ReceiptFields, besides bought: Set<Purchase>) -> JSONValue {
        let cancelledAt = fields.text(1712).flatMap(AppleDate.instant)
        // A receipt does not say that a purchase was upgraded. But after an upgrade, the new period begins at the very instant at
        // which the old one is cancelled.
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
            // Apple does not document field 1721, but several open-source receipt parsers agree on its meaning.
            ("promotional_offer_id", fields.text(1721).map(JSONValue.string)), ("is_upgraded", isUpgraded ? .bool(true) : nil),
        ]
        return .object(members.compactMap { member in member.value.map { JSONValue.Member(name: member.name, value: $0) } })
    }
}

/// The numbered fields of a receipt, or of a purchase in one: a SET of SEQUENCEs of number, version and value.
struct ReceiptFields {
    /// The most fields that are accepted. A receipt has some two dozen fields, and one more for each purchase.
    private static let maxCount = 50_000

    private var fields: [(number: Int64, value: ArraySlice<UInt8>)] = []

    /// Returns nil if the bytes do not have this form, or have more than 50,000 fields.
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

    /// Returns the text of a field; nil if the field is missing, empty or not a text.
    func text(_ number: Int64) -> String? { element(number)?.text }

    /// Returns the whole number in a field; nil if the field is missing, is not a number, or is negative.
    func integer(_ number: Int64) -> Int64? { element(number)?.integer }

    /// Returns all values of a field that can occur several times.
    func all(_ number: Int64) -> [ArraySlice<UInt8>] { fields.filter { $0.number == number }.map(\.value) }

    private func element(_ number: Int64) -> ASN1Element? {
        fields.first { $0.number == number }.flatMap { ASN1Element($0.value) }
    }
}
