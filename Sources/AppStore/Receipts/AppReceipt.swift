import EligibilityRules
import WireText

/// What a receipt of the iOS 7 style says by itself (docs/app-store.md#receipts).
///
/// It is read as the part of verifyReceipt's answer that it is, so that both give the same history.
struct AppReceipt {
    /// What begins at an instant.
    private struct Purchase: Hashable {
        let originalID: String?
        let purchasedAt: String?
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
    private let items: [ReceiptFields]

    /// Nil if the content is no receipt: the environment, the bundle id or the date is missing, or a purchase cannot be read whole.
    init?(_ content: [UInt8]) {
        guard let fields = ReceiptFields(content[...]), let type = fields.text(0), let bundleID = fields.text(2),
            let createdAt = fields.text(12).flatMap(AppleDate.receiptInstant)
        else { return nil }
        let purchases = fields.all(17)
        let items = purchases.compactMap(ReceiptFields.init)
        guard items.count == purchases.count, items.allSatisfy(Self.isReadable) else { return nil }
        (self.type, self.bundleID, self.createdAt, self.items) = (type, bundleID, createdAt, items)
    }

    /// Whether a purchase has its product, its transaction and its date, and no date that cannot be read.
    private static func isReadable(_ item: ReceiptFields) -> Bool {
        let dates = [1704, 1706, 1708, 1712].map(item.text)
        return [1702, 1703, 1704].allSatisfy { item.text($0)?.isEmpty == false }
            && dates.allSatisfy { $0.map { $0.isEmpty || AppleDate.receiptInstant($0) != nil } ?? true }
    }

    /// What verifyReceipt would say of it, as far as the receipt says it.
    func response(at now: Instant) -> ReceiptResponse? {
        let bought = Set(items.map { Purchase(originalID: $0.text(1705), purchasedAt: $0.text(1704)) })
        let receipt: [(String, JSONValue?)] = [
            ("bundle_id", .string(bundleID)), ("request_date_ms", .number("\(createdAt.milliseconds)")),
            ("in_app", .array(items.map { item($0, besides: bought) })),
        ]
        // An environment that is not known here stays one of its own.
        let answer: [(String, JSONValue?)] = [
            ("status", .number("\(ReceiptResponse.valid)")), ("environment", .string(Self.environments[type] ?? type)),
            ("receipt", object(receipt)),
        ]
        var response = ReceiptResponse(object(answer))
        if now.milliseconds(since: createdAt) > Self.freshness { response?.showsAccount = false }
        return response
    }

    private func item(_ fields: ReceiptFields, besides bought: Set<Purchase>) -> JSONValue {
        let cancelledAt = fields.text(1712)
        // A receipt marks no upgrade, but the new period begins at the instant at which the old one is cancelled.
        let isUpgraded = cancelledAt != nil && bought.contains(Purchase(originalID: fields.text(1705), purchasedAt: cancelledAt))
        return object([
            ("product_id", fields.text(1702).map(JSONValue.string)), ("transaction_id", fields.text(1703).map(JSONValue.string)),
            ("original_transaction_id", fields.text(1705).map(JSONValue.string)),
            ("web_order_line_item_id", fields.integer(1711).map { .number("\($0)") }),
            ("purchase_date_ms", date(fields.text(1704))), ("original_purchase_date_ms", date(fields.text(1706))),
            ("expires_date_ms", date(fields.text(1708))), ("cancellation_date_ms", date(cancelledAt)),
            ("is_trial_period", fields.integer(1713).map { .number("\($0)") }),
            ("is_in_intro_offer_period", fields.integer(1719).map { .number("\($0)") }),
            // Not in Apple's list of fields, but public readers of receipts agree on it.
            ("promotional_offer_id", fields.text(1721).map(JSONValue.string)), ("is_upgraded", isUpgraded ? .bool(true) : nil),
        ])
    }

    private func date(_ text: String?) -> JSONValue? {
        text.flatMap(AppleDate.receiptInstant).map { .number("\($0.milliseconds)") }
    }

    private func object(_ members: [(name: String, value: JSONValue?)]) -> JSONValue {
        .object(members.compactMap { member in member.value.map { JSONValue.Member(name: member.name, value: $0) } })
    }
}
