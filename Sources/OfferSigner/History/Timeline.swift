import EligibilityRules
import OfferStore

/// The events of one purchase chain in the order of time.
struct Timeline {
    private let chain: PurchaseChain
    private var events: [(instant: Instant, text: String)] = []

    init(_ chain: PurchaseChain) {
        self.chain = chain
        for transaction in chain.transactions { add(transaction) }
    }

    /// Adds an event.
    mutating func add(_ instant: Instant, _ text: String) { events.append((instant, text)) }

    /// Adds the coming of a notification.
    mutating func add(_ notification: NotificationRecord) {
        let subtype = notification.subtype.map { " \($0)" } ?? ""
        add(notification.receivedAt, "notification V\(notification.version) \(notification.type)\(subtype) received")
    }

    /// A head line, then one line an event.
    var lines: [String] {
        var head = "original transaction \(chain.originalID)"
        if let groupID = chain.groupID { head += ", group \(groupID)" }
        if let token = chain.appAccountToken { head += ", appAccountToken \(token)" }
        if chain.environment == .sandbox { head += ", sandbox" }
        if !chain.showsFirstPeriod { head += ", incomplete" }
        let ordered = events.enumerated().sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
        var lines = [head] + ordered.map { "  \($0.element.instant.iso8601)  \($0.element.text)" }
        if let renewal = chain.renewal { lines.append("  \(text(renewal))") }
        return lines
    }

    private mutating func add(_ transaction: PurchaseTransaction) {
        var text = "\(transaction.productID), transaction \(transaction.id)"
        if let offer = transaction.offer { text += ", \(self.text(offer))" }
        if transaction.isFamilyShared { text += ", family shared" }
        if transaction.isUpgraded { text += ", upgraded since" }
        if let expiry = transaction.expiry { text += ", until \(expiry.value.iso8601)" }
        add(transaction.purchasedAt, text)
        if let revokedAt = transaction.revokedAt { add(revokedAt, "refunded or revoked: transaction \(transaction.id)") }
    }

    private func text(_ offer: RedeemedOffer) -> String {
        let kind =
            switch offer.kind {
            case .introductory: "introductory offer"
            case .promotional: "promotional offer"
            case .offerCode: "offer code"
            case .winBack: "win-back offer"
            }
        return offer.id.map { "\(kind) \($0)" } ?? kind
    }

    private func text(_ renewal: Stamped<RenewalState>) -> String {
        var parts: [String] = []
        if let willRenew = renewal.value.willRenew { parts.append(willRenew ? "will renew" : "will not renew") }
        if let product = renewal.value.nextProductID { parts.append("next product \(product)") }
        if renewal.value.isInBillingRetry == true { parts.append("in billing retry") }
        if let grace = renewal.value.gracePeriodExpiresAt { parts.append("grace period until \(grace.iso8601)") }
        return
            "as of \(renewal.stamp.asOf.iso8601): \(parts.isEmpty ? "nothing about the renewal" : parts.joined(separator: ", "))"
    }
}
