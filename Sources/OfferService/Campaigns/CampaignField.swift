import EligibilityRules
import WireText

/// A field of a campaign: how it is read, written and compared.
///
/// Documents are read, written and compared by means of the table `all` alone. A part that has fields of its own, such as `goal`,
/// is one row of it.
struct CampaignField: Sendable {
    /// The name of the field in documents.
    let name: String
    /// Reads the field into a campaign.
    ///
    /// If the field has a fault, the campaign keeps the value that it had before.
    let read: @Sendable (DocumentFields, inout Campaign) -> Void
    /// The value as documents have it; nil if documents leave the field out.
    let json: @Sendable (Campaign) -> JSONValue?
    /// What changes in the field from the old version to the new one, one line for each change.
    let changes: @Sendable (_ old: Campaign, _ new: Campaign) -> [String]

    /// A field whose change is one line, `name: old → new`.
    ///
    /// - Parameter words: the value for people.
    private init(
        _ name: String,
        read: @escaping @Sendable (DocumentFields, inout Campaign) -> Void,
        json: @escaping @Sendable (Campaign) -> JSONValue?,
        words: @escaping @Sendable (Campaign) -> String
    ) {
        self.init(name, read: read, json: json, parts: [(name, words)])
    }

    /// A field with parts, each of which has a line of its own.
    private init(
        _ name: String,
        read: @escaping @Sendable (DocumentFields, inout Campaign) -> Void,
        json: @escaping @Sendable (Campaign) -> JSONValue?,
        parts: [(name: String, words: @Sendable (Campaign) -> String)]
    ) {
        self.init(name: name, read: read, json: json) { old, new in
            parts.compactMap { part, words in
                let (before, after) = (words(old), words(new))
                return ExactText(before) == ExactText(after) ? nil : "\(part): \(before) → \(after)"
            }
        }
    }

    private init(
        name: String,
        read: @escaping @Sendable (DocumentFields, inout Campaign) -> Void,
        json: @escaping @Sendable (Campaign) -> JSONValue?,
        changes: @escaping @Sendable (Campaign, Campaign) -> [String]
    ) {
        (self.name, self.read, self.json, self.changes) = (name, read, json, changes)
    }

    /// Every field, in the order in which documents, faults and changes list them.
    static let all = identity + slots + design + [variants, introductory, goal, analysis]

    private static let identity = [
        CampaignField("id", read: { $1.id = $0.text("id") }, json: { .string($0.id) }, words: { $0.id }),
        CampaignField("name", read: { $1.name = $0.text("name") }, json: { .string($0.name) }, words: { $0.name }),
        CampaignField(
            "hypothesis", read: { $1.hypothesis = $0.optionalText("hypothesis") }, json: { $0.hypothesis.map(JSONValue.string) },
            words: { $0.hypothesis?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? "none" }),
        CampaignField(
            "tags",
            read: { fields, campaign in campaign.tags = fields.list("tags") { fields.reading.text($0, at: $1) } },
            json: { $0.tags.isEmpty ? nil : .texts($0.tags) },
            words: { $0.tags.isEmpty ? "none" : $0.tags.joined(separator: ", ") }),
        CampaignField(
            "bundleId", read: { $1.bundleID = $0.text("bundleId") }, json: { .string($0.bundleID) }, words: { $0.bundleID }),
    ]

    private static let slots = [
        CampaignField(
            "placement", read: { $1.slot.placement = $0.optionalText("placement") },
            json: { $0.slot.placement.map(JSONValue.string) }, words: { $0.slot.placement ?? "any in the app" }),
        CampaignField(
            "priority", read: { $1.slot.priority = $0.integer("priority") ?? 0 }, json: { .integer($0.slot.priority) },
            words: { String($0.slot.priority) }),
        CampaignField(
            "exclusionGroup", read: { $1.slot.exclusionGroup = $0.optionalText("exclusionGroup") },
            json: { $0.slot.exclusionGroup.map(JSONValue.string) }, words: { $0.slot.exclusionGroup ?? "none" }),
        CampaignField(
            "schedule",
            read: { fields, campaign in
                if let parts = fields.object("schedule", known: ["from", "until"]) {
                    campaign.schedule = CampaignSchedule(parts)
                }
            },
            json: { $0.schedule == CampaignSchedule() ? nil : $0.schedule.json },
            parts: [
                ("schedule.from", { $0.schedule.from?.exactISO8601 ?? "publishing" }),
                ("schedule.until", { $0.schedule.until?.exactISO8601 ?? "no end" }),
            ]),
    ]

    private static let design = [
        CampaignField(
            "unit", read: { $1.design.unit = $0.choice("unit") ?? .customer }, json: { .string($0.design.unit.rawValue) },
            words: { $0.design.unit.rawValue }),
        CampaignField(
            "enrolment", read: { $1.design.enrolment = $0.integer("enrolment") ?? Bucket.count },
            json: { .integer($0.design.enrolment) }, words: { ShareText.words($0.design.enrolment) }),
        CampaignField(
            "holdout", read: { $1.design.holdout = $0.integer("holdout") ?? 0 }, json: { .integer($0.design.holdout) },
            words: { ShareText.words($0.design.holdout) }),
        CampaignField(
            name: "audience",
            read: { fields, campaign in
                campaign.audience = fields.value("audience").flatMap {
                    Condition($0, at: fields.path("audience"), fields.reading)
                }
            },
            json: { $0.audience?.json },
            changes: { old, new in ConditionChanges.lines(old.audience, new.audience).map { "audience: \($0)" } }),
        CampaignField(
            name: "segments",
            read: { fields, campaign in campaign.segments = fields.list("segments") { Segment($0, at: $1, fields.reading) } },
            json: { $0.segments.isEmpty ? nil : .array($0.segments.map(\.json)) },
            changes: { old, new in Segment.changes(old.segments, new.segments).map { "audience: \($0)" } }),
        CampaignField(
            "limits",
            read: { $1.limits = $0.object("limits", known: ["perCustomer", "per", "total"]).map(CampaignLimits.init) },
            json: { $0.limits?.json },
            parts: [
                ("limits.perCustomer", { $0.limits?.perCustomer.map(String.init) ?? "none" }),
                ("limits.per", { $0.limits?.per?.text ?? "for ever" }),
                ("limits.total", { $0.limits?.total.map(String.init) ?? "none" }),
            ]),
    ]

    private static let variants = CampaignField(
        name: "variants", read: { $1.design.variants = CampaignVariant.all($0) },
        json: { .array($0.design.variants.map(\.json)) },
        changes: { CampaignVariant.changes($0.design.variants, $1.design.variants) })

    private static let introductory = CampaignField(
        "introductory",
        read: { fields, campaign in
            let parts = fields.object("introductory", known: ["again"])
            if let parts { campaign.design.givesIntroductoryOfferAgain = parts.flag("again") ?? false }
        },
        json: { $0.design.givesIntroductoryOfferAgain ? .members(["again": .bool(true)]) : nil },
        parts: [("introductory.again", { $0.design.givesIntroductoryOfferAgain ? "yes" : "no" })])

    private static let goal = CampaignField(
        "goal",
        read: { fields, campaign in
            let parts = fields.object("goal", known: CampaignGoal.fieldNames)
            if let parts { campaign.design.goal = CampaignGoal(parts) }
        },
        json: { $0.design.goal.json },
        parts: [
            ("goal.metric", { $0.design.goal.metric.rawValue }), ("goal.window", { $0.design.goal.window.text }),
            ("goal.currency", { $0.design.goal.currency ?? "none" }),
            ("goal.expected", { $0.design.goal.expected?.spelling ?? "none" }),
            ("goal.detect", { $0.design.goal.words(\.detect) }),
            ("goal.standardDeviation", { $0.design.goal.words(\.standardDeviation) }),
            ("goal.cap", { $0.design.goal.words(\.cap) }),
            ("goal.customersPerDay", { $0.design.goal.customersPerDay.map(String.init) ?? "none" }),
        ])

    private static let analysis = CampaignField(
        "analysis",
        read: { fields, campaign in
            let parts = fields.object("analysis", known: ["method", "sampleSize"])
            if let parts { campaign.design.analysis = CampaignAnalysis(parts) }
        },
        json: { $0.design.analysis.json }, words: { $0.design.analysis.words })
}

extension CampaignGoal {
    /// Returns `0.02`, `0.50 USD` for money, or `none`.
    fileprivate func words(_ value: KeyPath<CampaignGoal, Double?>) -> String {
        guard let value = self[keyPath: value] else { return "none" }
        return metric == .revenue ? "\(value.spelling) \(currency ?? "")" : value.spelling
    }
}

extension CampaignAnalysis {
    fileprivate var words: String {
        switch self {
        case .sequential: "sequential"
        case .fixed(let units): "fixed, \(units) customers"
        }
    }
}
