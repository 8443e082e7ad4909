import OfferService

/// A row of the audit log.
struct AuditRow: TemplateView {
    /// A text that is shown only on request, such as a whole configuration.
    struct LongText: TemplateView {
        let summary: String
        let text: String
    }

    /// The largest value that is shown in full, in bytes.
    private static let maxShown = 200
    private static let actionNames = [
        "key.activate": "Key activated", "key.rollback": "Key rolled back", "key.revoke": "Key revoked",
        "key.stage": "Key staged",
        "key.propose": "Second person asked for", "key.agree": "Second person agreed", "key.withdraw": "Proposal withdrawn",
        "access.create": "Access key created",
        "access.revoke": "Access key revoked", "configuration.load": "Configuration loaded",
        "configuration.reload": "Configuration read again", "customer.bind": "Subscription bound to a customer",
        "customer.erase": "Customer erased", "customer.import": "Purchases imported", "clock.accept": "Clock accepted",
        "clock.repair": "Clock repaired", "audit.rotate-key": "Audit key rotated", "console.sign-in": "Signed in",
        "event.replay": "Event sent again", "event.test": "Test sent to an endpoint", "event.enable": "Endpoint enabled",
        "event.disable": "Endpoint disabled",
        "signature.made": "Signature made", "signature.refused": "Signature refused",
    ]

    let at: RichText
    let who: String
    let address: String?
    let what: String
    /// What was changed: a key, an app, a customer.
    let subject: String
    let before: String?
    let after: String?
    /// The values before and after, if one of them is long.
    let long: [LongText]
    let reason: String?
    let row: String
    /// The id of the request.
    let request: String

    /// Creates a row.
    ///
    /// - Parameter names: the names of actors for people, by id.
    init(_ line: AuditLine, names: [String: String], _ time: ConsoleTime) {
        at = time.at(line.at, withZone: false)
        who = names[line.actor] ?? line.actor
        address = line.address?.nonEmpty
        what = Self.actionNames[line.action] ?? line.action
        subject = [line.subject.map { names[$0] ?? $0 }, line.bundleID, line.customerID].compactMap(\.self)
            .joined(separator: ", ")
        reason = line.reason?.nonEmpty
        row = ConsoleTime.number(Int(line.row))
        request = line.requestID ?? ""
        let texts = [("Before", line.before), ("After", line.after)].compactMap { name, text in text.map { (name, $0) } }
        let isLong = texts.contains { $0.1.utf8.count > Self.maxShown }
        before = isLong ? nil : line.before?.nonEmpty
        after = isLong ? nil : line.after?.nonEmpty
        long =
            isLong
            ? texts.map { LongText(summary: "\($0.0), \(ConsoleTime.count($0.1.count, "character"))", text: $0.1) } : []
    }
}
