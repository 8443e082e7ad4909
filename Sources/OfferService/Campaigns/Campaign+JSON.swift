package import EligibilityRules
package import WireText

extension Campaign {
    private static let fields = [
        "id", "name", "hypothesis", "tags", "bundleId", "placement", "priority", "exclusionGroup", "schedule", "unit",
        "enrolment", "holdout", "audience", "segments", "limits", "variants", "goal", "analysis",
    ]

    /// Reads a campaign as marketing writes it; paths of faults begin with the campaign's own fields.
    package init(json: JSONValue, _ notation: DocumentNotation = .json) throws(CampaignFaults) {
        self = try DocumentReading.read(notation) { Campaign(json, at: "", $0) }
    }

    /// A field that has a fault is left empty.
    init?(_ json: JSONValue, at path: String, _ reading: DocumentReading) {
        guard let fields = DocumentFields(json, at: path, known: Campaign.fields, reading) else { return nil }
        self.init(
            id: fields.text("id"),
            name: fields.text("name"),
            hypothesis: fields.optionalText("hypothesis"),
            tags: fields.list("tags") { reading.text($0, at: $1) },
            bundleID: fields.text("bundleId"),
            placement: fields.optionalText("placement"),
            priority: fields.integer("priority") ?? 0,
            exclusionGroup: fields.optionalText("exclusionGroup"),
            schedule: fields.object("schedule", known: ["from", "until"]).map(CampaignSchedule.init) ?? CampaignSchedule(),
            unit: fields.choice("unit") ?? .customer,
            enrolment: fields.integer("enrolment") ?? Bucket.count,
            holdout: fields.integer("holdout") ?? 0,
            audience: fields.value("audience").flatMap { Condition($0, at: fields.path("audience"), reading) },
            segments: fields.list("segments") { Segment($0, at: $1, reading) },
            limits: fields.object("limits", known: ["perCustomer", "per", "total"]).map(CampaignLimits.init),
            variants: CampaignVariant.all(fields),
            goal: fields.object("goal", known: ["metric", "window", "expected", "detect"]).map(CampaignGoal.init)
                ?? CampaignGoal(),
            analysis: fields.object("analysis", known: ["method", "sampleSize"]).map(CampaignAnalysis.init) ?? .sequential
        )
    }

    /// The campaign as JSON, with the same bytes every time; values that are defaults are included.
    package var json: JSONValue {
        let isAlways = schedule.from == nil && schedule.until == nil
        return .members([
            "id": .string(id),
            "name": .string(name),
            "hypothesis": hypothesis.map(JSONValue.string),
            "tags": tags.isEmpty ? nil : .texts(tags),
            "bundleId": .string(bundleID),
            "placement": placement.map(JSONValue.string),
            "priority": .integer(priority),
            "exclusionGroup": exclusionGroup.map(JSONValue.string),
            "schedule": isAlways ? nil : schedule.json,
            "unit": .string(unit.rawValue),
            "enrolment": .integer(enrolment),
            "holdout": .integer(holdout),
            "audience": audience?.json,
            "segments": segments.isEmpty ? nil : .array(segments.map(\.json)),
            "limits": limits?.json,
            "variants": .array(variants.map(\.json)),
            "goal": goal.json,
            "analysis": analysis.json,
        ])
    }
}
