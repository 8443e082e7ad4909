import EligibilityRules
import OfferService
import OfferStore

/// The events of one purchase chain, in order of time.
struct Timeline {
    private let chain: PurchaseChain
    private var events: [(instant: Instant, text: String)] = []

    init(_ chain: PurchaseChain) {
        self.chain = chain
        for transaction in chain.transactions { add(transaction) }
    }

    mutating func add(_ instant: Instant, _ text: String) { events.append((instant, text)) }

    /// Adds the arrival of a notification.
    mutating func add(_ notification: NotificationRecord) {
        let subtype = notification.subtype.map { " \($0)" } ?? ""
        add(notification.receivedAt, "notification V\(notification.version) \(notification.type)\(subtype) received")
    }

    /// A line about the chain, then one line for each event.
    var lines: [String] {
        var head = "original transaction \(chain.originalID)"
        if let groupID = chain.groupID { head += ", group \(groupID)" }
        if let token = chain.accountToken { head += ", appAccountToken \(token)" }
        if let account = chain.appTransactionID { head += ", appTransactionId \(account)" }
        if let previous = chain.previousOriginalID { head += ", in place of \(previous)" }
        switch chain.environment {
        case .sandbox: head += ", sandbox"
        case .local: head += ", local test"
        case .unrecognised: head += ", an environment that this version does not know"
        case .production, nil: break
        }
        if !chain.showsFirstPeriod { head += ", incomplete" }
        let ordered = events.enumerated().sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
        var lines = [head] + ordered.map { "  \($0.element.instant.iso8601)  \($0.element.text)" }
        if let renewal = chain.renewal { lines.append("  \(text(renewal))") }
        return lines
    }

    private mutating func add(_ transaction: PurchaseTransaction) {
        var text = "\(transaction.productID), transaction \(transaction.id)"
        if !transaction.otherIDs.isEmpty { text += " (also \(transaction.otherIDs.joined(separator: ", ")))" }
        if let offer = transaction.offer { text += ", \(self.text(offer))" }
        switch transaction.ownership {
        case .familyShared: text += ", family shared"
        case .assigned: text += ", assigned seat"
        case .unrecognised: text += ", an ownership that this version does not know"
        case .purchased, nil: break
        }
        if transaction.kind == .unrecognised { text += ", a type that this version does not know" }
        if transaction.isUpgraded { text += ", upgraded since" }
        if let expiry = transaction.expiry { text += ", until \(expiry.value.iso8601)" }
        if let sale = transaction.sale { text += ", \(self.text(sale, paid: transaction.paid().thousandths))" }
        if let particulars = transaction.particulars?.value { text += ", \(self.text(particulars))" }
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
            case .retention: "retention offer"
            case .unrecognised: "an offer of a type that this version does not know"
            }
        return offer.id.map { "\(kind) \($0)" } ?? kind
    }

    private func text(_ sale: Sale, paid: Int64?) -> String {
        let price = sale.charged.map { "price \($0) thousandths of \(sale.currency ?? "an unknown currency")" }
        let rest = paid.flatMap { $0 == sale.charged ? nil : "paid \($0)" }
        return [price, rest, sale.storefront.map { "storefront \($0)" }, sale.discount].compactMap(\.self).joined(separator: ", ")
    }

    private func text(_ particulars: Particulars) -> String {
        particulars.facts.map { "\($0.name) \($0.value)\($0.isRecognised ? "" : " (not recognised)")" }
            .joined(separator: ", ")
    }

    private func text(_ renewal: Stamped<RenewalState>) -> String {
        var parts: [String] = []
        if let willRenew = renewal.value.willRenew { parts.append(willRenew ? "will renew" : "will not renew") }
        if let product = renewal.value.nextProductID { parts.append("next product \(product)") }
        if renewal.value.isInBillingRetry == true { parts.append("in billing retry") }
        if let grace = renewal.value.gracePeriodExpiresAt { parts.append("grace period until \(grace.iso8601)") }
        if let date = renewal.value.renewalDate { parts.append("renewal date \(date.iso8601)") }
        if let intent = renewal.value.expirationIntent { parts.append("expiration intent \(intent)") }
        switch renewal.value.priceConsent {
        case 0: parts.append("price increase not answered yet")
        case 1: parts.append("price increase agreed to")
        case let other?: parts.append("price increase status \(other)")
        case nil: break
        }
        if let particulars = renewal.value.particulars { parts.append(text(particulars)) }
        return
            "as of \(renewal.stamp.asOf.iso8601): \(parts.isEmpty ? "nothing about the renewal" : parts.joined(separator: ", "))"
    }
}
