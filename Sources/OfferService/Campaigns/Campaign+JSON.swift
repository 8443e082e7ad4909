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
        // Faults are listed in the order of reading.
        let (id, name, hypothesis) = (fields.text("id"), fields.text("name"), fields.optionalText("hypothesis"))
        let tags = fields.list("tags") { reading.text($0, at: $1) }
        let bundleID = fields.text("bundleId")
        let slot = CampaignSlot(
            placement: fields.optionalText("placement"), priority: fields.integer("priority") ?? 0,
            exclusionGroup: fields.optionalText("exclusionGroup"))
        let schedule = fields.object("schedule", known: ["from", "until"]).map(CampaignSchedule.init) ?? CampaignSchedule()
        var design = CampaignDesign(
            unit: fields.choice("unit") ?? .customer, enrolment: fields.integer("enrolment") ?? Bucket.count,
            holdout: fields.integer("holdout") ?? 0, variants: [])
        let audience = fields.value("audience").flatMap { Condition($0, at: fields.path("audience"), reading) }
        let segments = fields.list("segments") { Segment($0, at: $1, reading) }
        let limits = fields.object("limits", known: ["perCustomer", "per", "total"]).map(CampaignLimits.init)
        design.variants = CampaignVariant.all(fields)
        design.goal =
            fields.object("goal", known: ["metric", "window", "expected", "detect"]).map(CampaignGoal.init) ?? CampaignGoal()
        design.analysis =
            fields.object("analysis", known: ["method", "sampleSize"]).map(CampaignAnalysis.init) ?? .sequential
        self.init(
            id: id, name: name, bundleID: bundleID, slot: slot, schedule: schedule, audience: audience, limits: limits,
            design: design)
        (self.hypothesis, self.tags, self.segments) = (hypothesis, tags, segments)
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
            "placement": slot.placement.map(JSONValue.string),
            "priority": .integer(slot.priority),
            "exclusionGroup": slot.exclusionGroup.map(JSONValue.string),
            "schedule": isAlways ? nil : schedule.json,
            "unit": .string(design.unit.rawValue),
            "enrolment": .integer(design.enrolment),
            "holdout": .integer(design.holdout),
            "audience": audience?.json,
            "segments": segments.isEmpty ? nil : .array(segments.map(\.json)),
            "limits": limits?.json,
            "variants": .array(design.variants.map(\.json)),
            "goal": design.goal.json,
            "analysis": design.analysis.json,
        ])
    }
}
