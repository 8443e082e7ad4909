import OfferService

/// The page about the audit log.
struct AuditView: PageView {
    static let template = "audit"

    /// The result of the latest check; nil if there was none yet.
    let verdict: AuditVerdictView?
    /// The address of the export of the rows that the search finds.
    let export: String
    /// The newest seal of the audit log; nil if there is none yet.
    let head: String?
    let filter: AuditFilterView
    let heading: String
    /// A sentence about rows that the page leaves out; empty if it leaves none out.
    let leftOut: String
    let hasRows: Bool
    let rows: [AuditRow]
    /// The address of the page with the next older rows; nil if there are none.
    let older: String?

    /// - Parameter names: the names of actors for people, by the actors' ids.
    init(
        _ page: AuditPage,
        of search: AuditSearch,
        filter: AuditFilterView,
        names: [String: String],
        head: String?,
        verdict: AuditVerdict?,
        _ time: ConsoleTime
    ) {
        let link = search.link
        self.verdict = verdict.map { AuditVerdictView($0, time) }
        export = "/console/audit.jsonl\(link.isEmpty ? "" : "?")\(link)"
        self.head = head
        self.filter = filter
        heading = "\(ConsoleTime.count(page.lines.count, "row")), newest first"
        leftOut = Self.leftOut(page, search)
        hasRows = !page.lines.isEmpty
        rows = page.lines.map { AuditRow($0, names: names, time) }
        older = page.next.map { "/console/audit?\(link)\(link.isEmpty ? "" : "&")before=\($0.text)" }
    }

    private static func leftOut(_ page: AuditPage, _ search: AuditSearch) -> String {
        guard let count = page.leftOut, count > 0 else { return "" }
        return
            "\(ConsoleTime.count(Int(count), "signature or refusal", "signatures and refusals")) left out by “\(search.kind.name)”."
    }
}

/// Whether the audit log is intact.
struct AuditVerdictView: TemplateView {
    private static let maxFaults = 20

    let tone: String
    /// The result in a few words.
    let badge: String
    /// The result in one sentence.
    let summary: String
    /// When the check ended.
    let at: RichText
    /// The duration of the check.
    let seconds: String
    let hasFaults: Bool
    let faults: [String]

    init(_ verdict: AuditVerdict, _ time: ConsoleTime) {
        tone = verdict.isIntact ? (verdict.isProven ? "good" : "warn") : "bad"
        badge = verdict.isIntact ? (verdict.isProven ? "Chain verified" : "Not sealed") : "Changed"
        summary = verdict.summary.firstUppercased
        at = time.at(verdict.checkedAt)
        seconds = "\(verdict.milliseconds / 1000).\(verdict.milliseconds % 1000 / 100)"
        hasFaults = !verdict.faults.isEmpty
        faults = Array(verdict.faults.prefix(Self.maxFaults))
    }
}

/// The form that searches the audit log.
struct AuditFilterView: TemplateView {
    let from: String
    let to: String
    let q: String
    let people: [FieldView.Choice]
    let kinds: [FieldView.Choice]
    let apps: [FieldView.Choice]

    /// - Parameters:
    ///   - people: the names of actors for people, by the actors' ids.
    ///   - apps: the apps that the reader may see.
    ///   - seesAll: whether the reader may see all apps.
    init(_ search: AuditSearch, people: [String: String], apps: [String], seesAll: Bool) {
        from = search["from"]
        to = search["to"]
        q = search["q"]
        self.people = Self.choices(
            [("", "Anyone")] + people.sorted { $0.value < $1.value }.map { ($0.key, $0.value) }, search["who"])
        kinds = Self.choices(AuditSearch.kinds.map { ($0.id, $0.name) }, search.kind.id)
        self.apps = Self.choices((seesAll ? [("", "All apps")] : []) + apps.map { ($0, $0) }, search.app ?? "")
    }

    private static func choices(_ all: [(id: String, label: String)], _ chosen: String) -> [FieldView.Choice] {
        all.map { FieldView.Choice(id: $0.id, label: $0.label, isChosen: $0.id == chosen) }
    }
}

/// A row of the audit log.
struct AuditRow: TemplateView {
    /// A text that is shown only on request, such as a whole configuration.
    struct LongText: TemplateView {
        let summary: String
        let text: String
    }

    /// The largest value that is shown in full at once, in bytes.
    private static let maxShown = 200
    private static let actionNames = [
        "access.create": "Access key created", "access.expiring": "Access key expires soon",
        "access.revoke": "Access key revoked",
        "audit.not-verified": "Audit log found changed", "audit.replace-lost-key": "Lost audit key replaced",
        "audit.rotate-key": "Audit key rotated",
        "campaign.approve": "Draft approved", "campaign.archive": "Campaign archived", "campaign.create": "Campaign created",
        "campaign.discard": "Draft discarded", "campaign.end": "Campaign ended", "campaign.note": "Note written",
        "campaign.pause": "Campaign paused", "campaign.publish": "Campaign published", "campaign.reject": "Draft rejected",
        "campaign.resume": "Campaign resumed", "campaign.rollback": "Campaign rolled back", "campaign.save": "Draft saved",
        "campaign.split-off": "Split of a campaign checked", "campaign.submit": "Draft sent to review",
        "campaign.testers": "Testers changed", "campaign.unarchive": "Campaign taken out of the archive",
        "campaign.verdict": "Verdict of a campaign changed",
        "clock.accept": "Clock accepted", "clock.repair": "Clock repaired",
        "configuration.load": "Configuration loaded", "configuration.reload": "Configuration read again",
        "console.sign-in": "Signed in",
        "customer.bind": "Subscription bound to a customer", "customer.consent": "Customer consented to refund answers",
        "customer.erase": "Customer erased", "customer.export": "Customer exported", "customer.import": "Purchases imported",
        "customer.merge": "Customers merged", "customer.unbind": "Subscription unbound from a customer",
        "event.disable": "Endpoint disabled", "event.enable": "Endpoint enabled", "event.replay": "Event sent again",
        "event.test": "Test sent to an endpoint",
        "key.activate": "Key activated", "key.agree": "Second person agreed", "key.load": "Key loaded",
        "key.propose": "Second person asked for", "key.revoke": "Key revoked", "key.rollback": "Key rolled back",
        "key.stage": "Key staged", "key.withdraw": "Proposal withdrawn",
        "refund.answer": "Refund request answered", "refund.dry-run": "Refund answer tried",
        "refund.leave": "Refund request left",
        "segment.remove": "Segment removed", "segment.save": "Segment saved",
        "signature.made": "Signature made", "signature.refused": "Signature refused",
        "store.copy": "Store copied to a database", "store.restore": "Store restored",
    ]

    let at: RichText
    let who: String
    let address: String?
    let what: String
    /// What was changed, for example a key, an app or a customer.
    let subject: String
    let before: String?
    let after: String?
    /// The values before and after the change, if one of them is too long to be shown in full at once.
    let long: [LongText]
    let reason: String?
    let row: String
    /// The id of the request.
    let request: String

    /// - Parameter names: the names of actors for people, by the actors' ids.
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
