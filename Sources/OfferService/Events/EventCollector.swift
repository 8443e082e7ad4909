import EligibilityRules
import FoundationEssentials
package import OfferStore
import WireText

/// Makes events from durable rows: signatures, refusals, changes and purchases.
package enum EventCollector {
    /// A longer reason is cut to this number of characters.
    private static let maxReason = 1000

    /// The types of the events about changes, by the action in the audit log.
    private static let typesOfChanges: [String: String] = [
        "campaign.submit": "campaign.review_requested", "campaign.reject": "campaign.sent_back",
        "campaign.publish": "campaign.published", "campaign.rollback": "campaign.published",
        "campaign.pause": "campaign.paused", "campaign.resume": "campaign.resumed", "campaign.end": "campaign.ended",
        "campaign.verdict": "campaign.verdict", "campaign.split-off": "campaign.split_off",
        AuditAction.stageKey.rawValue: "key.staged", AuditAction.activateKey.rawValue: "key.activated",
        AuditAction.rollBackKey.rawValue: "key.activated", AuditAction.revokeKey.rawValue: "key.revoked",
        AuditAction.expireAccess.rawValue: "key.expiring", AuditAction.failVerification.rawValue: "audit.not_verified",
    ]

    /// All types of events.
    package static let types = Set(
        ["offer.signed", "offer.refused"] + PurchaseNews.Kind.allCases.map(\.rawValue) + typesOfChanges.values)

    /// The events that a row makes. Each has its own id.
    package static func events(of source: EventSource) -> [ServiceEvent] {
        switch source {
        case .signatures(let entry): entry.signatures.map { event(of: $0, entry) }
        case .refusals(let refusals): refusals.offers.map { event(of: $0, refusals) }
        case .change(let change): event(of: change).map { [$0] } ?? []
        case .purchase(let purchase): [event(of: purchase)]
        }
    }

    private static func event(of signature: LedgerSignature, _ entry: LedgerEntry) -> ServiceEvent {
        let transactionID = signature.transactionID ?? entry.request.transactionID
        return event(
            "offer.signed", entry.signedAt, entry.partition, customerID: entry.request.customerID,
            orElse: transactionID ?? entry.request.id,
            [
                "customerId": entry.request.customerID.map(JSONValue.string), "productId": .string(signature.productID),
                "offerId": offer(signature.offerID), "transactionId": transactionID.map(JSONValue.string),
                "form": .string(entry.form.name), "keyId": .string(entry.keyID),
                "nonce": .string(signature.nonce.lowerCaseString), "signedAt": .instant(entry.signedAt),
                "caller": .string(entry.request.caller), "requestId": .string(entry.request.id),
            ])
    }

    private static func event(of offer: LedgerRefusals.Offer, _ refusals: LedgerRefusals) -> ServiceEvent {
        event(
            "offer.refused", refusals.refusedAt, refusals.partition, customerID: refusals.request.customerID,
            orElse: refusals.request.transactionID ?? refusals.request.id,
            [
                "customerId": refusals.request.customerID.map(JSONValue.string), "productId": .string(offer.productID),
                "offerId": self.offer(offer.offerID), "reason": .string(offer.reason),
                "transactionId": refusals.request.transactionID.map(JSONValue.string), "caller": .string(refusals.request.caller),
                "requestId": .string(refusals.request.id),
            ])
    }

    private static func event(of purchase: PurchaseEvent) -> ServiceEvent {
        event(
            purchase.kind.rawValue, purchase.at, purchase.partition, customerID: purchase.customerID,
            previousCustomerID: purchase.previousCustomerID,
            orElse: purchase.originalTransactionID,
            [
                "customerId": purchase.customerID.map(JSONValue.string),
                "previousCustomerId": purchase.previousCustomerID.map(JSONValue.string),
                "originalTransactionId": .string(purchase.originalTransactionID),
                "transactionId": purchase.transactionID.map(JSONValue.string),
                "productId": purchase.productID.map(JSONValue.string), "offerId": purchase.offerID.map(JSONValue.string),
            ])
    }

    private static func event(
        _ type: String,
        _ at: Instant,
        _ partition: AppPartition,
        customerID: String?,
        previousCustomerID: String? = nil,
        orElse id: String,
        _ members: KeyValuePairs<String, JSONValue?>
    ) -> ServiceEvent {
        ServiceEvent(
            id: UUID(), type: type, at: at, partition: partition, orderingKey: partition.orderingKey(customerID ?? id),
            customerID: customerID, previousCustomerID: previousCustomerID, data: data(partition, members))
    }

    /// Returns nil if there are no events about changes of this kind.
    private static func event(of change: AuditEvent) -> ServiceEvent? {
        guard let type = typesOfChanges[change.action], let subject = change.object.id ?? (type.hasPrefix("audit.") ? "" : nil)
        else {
            return nil
        }
        // Activating a key writes two rows. The row about the key that signed until then makes no event.
        if type == "key.activated", KeyDecision.read(change.object.after ?? "").state != "active" { return nil }
        let kind = type.prefix { $0 != "." }
        let key = kind == "campaign" ? "campaign/\(change.partition?.bundleID ?? "")/\(subject)" : "\(kind)/\(subject)"
        let found = ["campaign.verdict", "campaign.split_off"].contains(type) ? change.object.after.flatMap(finding) : nil
        return ServiceEvent(
            id: UUID(), type: type, at: change.at, partition: change.partition, orderingKey: key, customerID: nil,
            data: data(
                change.partition,
                [
                    "campaign": kind == "campaign" ? .string(subject) : nil,
                    "keyId": kind == "key" && type != "key.expiring" ? .string(subject) : nil,
                    "accessKeyId": type == "key.expiring" ? .string(subject) : nil,
                    "expiresAt": type == "key.expiring" ? change.object.after.map { .number($0) } : nil,
                    "code": found?["code"], "words": found?["words"], "by": .string(change.actor),
                    "reason": change.reason.map { .string(String($0.prefix(maxReason))) },
                ]))
    }

    private static func finding(_ json: String) -> [String: JSONValue]? {
        guard case .object(let members)? = try? JSONValue(parsing: Array(json.utf8)) else { return nil }
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func data(_ partition: AppPartition?, _ members: KeyValuePairs<String, JSONValue?>) -> [UInt8] {
        let app: KeyValuePairs<String, JSONValue?> = [
            "bundleId": partition.map { .string($0.bundleID) },
            "environment": partition?.additionalEnvironment.map { .string($0.rawValue) },
        ]
        guard case .object(let first) = JSONValue.members(app), case .object(let rest) = JSONValue.members(members) else {
            return []
        }
        return JSONValue.object(first + rest).bytes
    }

    /// The id as JSON; nil for an introductory offer, which has no id.
    private static func offer(_ id: String) -> JSONValue? { id.isEmpty ? nil : .string(id) }
}
