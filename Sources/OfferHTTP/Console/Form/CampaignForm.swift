import EligibilityRules
import FoundationEssentials
import OfferService
import WireText

/// A campaign as the inputs of the editor. It holds only what a draft can keep, so that the form can be saved in any state.
struct CampaignForm: Equatable {
    var id = ""
    var name = ""
    var hypothesis = ""
    /// Tags with spaces between them.
    var tags = ""
    var placement = ""
    var priority = ""
    var exclusionGroup = ""
    var from = MomentFields(date: "", time: "")
    var until = MomentFields(date: "", time: "")
    var unit = BucketingUnit.customer.rawValue
    /// The enrolment, in percent.
    var enrolment = "100"
    /// The hold-out, in percent.
    var holdout = ""
    var audience = ConditionNode.root(nil)
    var perCustomer = ""
    var per = PeriodFields(number: "", unit: "D")
    var total = ""
    var variants: [VariantFields] = []
    var metric = CampaignGoal.Metric.subscribed.rawValue
    var window = PeriodFields(number: "14", unit: "D")
    /// The expected conversion, in percent.
    var expected = ""
    /// The difference to detect, in percentage points.
    var detect = ""
    var method = "sequential"
    var sampleSize = ""
    /// The schedule of the draft when the form was made.
    var schedule: JSONValue?

    /// Reads a draft.
    init(_ json: JSONValue, in zone: TimeZone) {
        id = FormValue.shown(json.member("id"))
        name = FormValue.shown(json.member("name"))
        hypothesis = FormValue.shown(json.member("hypothesis"))
        if case .array(let all)? = json.member("tags") { tags = all.map { FormValue.shown($0) }.joined(separator: " ") }
        placement = FormValue.shown(json.member("placement"))
        priority = FormValue.shown(json.member("priority"))
        exclusionGroup = FormValue.shown(json.member("exclusionGroup"))
        schedule = json.member("schedule")
        from = MomentFields(schedule?.member("from"), in: zone)
        until = MomentFields(schedule?.member("until"), in: zone)
        unit = json.member("unit").map { FormValue.shown($0) } ?? unit
        enrolment = json.member("enrolment").map { FormValue.shown($0, by: 2) } ?? enrolment
        holdout = FormValue.shown(json.member("holdout"), by: 2)
        audience = .root(json.member("audience"))
        let limits = json.member("limits")
        perCustomer = FormValue.shown(limits?.member("perCustomer"))
        per = PeriodFields(limits?.member("per"))
        total = FormValue.shown(limits?.member("total"))
        if case .array(let all)? = json.member("variants") { variants = all.map(VariantFields.init) }
        let goal = json.member("goal")
        metric = goal?.member("metric").map { FormValue.shown($0) } ?? metric
        window = goal?.member("window").map { PeriodFields($0) } ?? window
        expected = FormValue.shown(goal?.member("expected"), by: -2)
        detect = FormValue.shown(goal?.member("detect"), by: -2)
        let analysis = json.member("analysis")
        method = analysis?.member("method").map { FormValue.shown($0) } ?? method
        sampleSize = FormValue.shown(analysis?.member("sampleSize"))
    }

    /// Reads a submitted form.
    ///
    /// - Parameter fields: all values of each name.
    init(_ fields: [String: [String]]) {
        func text(_ name: String) -> String { fields[name]?.first ?? "" }
        id = text("id")
        name = text("name")
        // Browsers send line breaks as CR LF.
        hypothesis = text("hypothesis").replacing("\r\n", with: "\n")
        tags = text("tags")
        placement = text("placement")
        priority = text("priority")
        exclusionGroup = text("exclusionGroup")
        schedule = try? JSONValue(parsing: Array(text("schedule").utf8))
        from = MomentFields(date: text("from"), time: text("from-time"), which: text("from-which"))
        until = MomentFields(date: text("until"), time: text("until-time"), which: text("until-which"))
        unit = text("unit")
        enrolment = text("enrolment")
        holdout = text("holdout")
        audience = ConditionNode(fields, id: "c")
        perCustomer = text("perCustomer")
        per = PeriodFields(number: text("per"), unit: text("per-unit"))
        total = text("total")
        variants = (0..<min(Int(text("v.n")) ?? 0, 100)).map { VariantFields(fields, number: $0) }
        metric = text("metric")
        window = PeriodFields(number: text("window"), unit: text("window-unit"))
        expected = text("expected")
        detect = text("detect")
        method = text("method")
        sampleSize = text("sampleSize")
    }

    /// Returns the campaign as a draft keeps it.
    func json(bundleID: String, in zone: TimeZone) -> JSONValue {
        .members([
            "id": .string(id), "name": .string(name), "hypothesis": FormValue.text(hypothesis.trimmed.isEmpty ? "" : hypothesis),
            "tags": Self.list(tags), "bundleId": .string(bundleID), "placement": FormValue.text(placement),
            "priority": FormValue.number(priority), "exclusionGroup": FormValue.text(exclusionGroup),
            "schedule": Self.object([
                "from": from.json(schedule?.member("from"), in: zone, isEnd: false),
                "until": until.json(schedule?.member("until"), in: zone, isEnd: true),
            ]),
            "unit": .string(unit), "enrolment": FormValue.number(enrolment, by: 2), "holdout": FormValue.number(holdout, by: 2),
            "audience": audience.audience,
            "limits": Self.object([
                "perCustomer": FormValue.number(perCustomer), "per": per.json, "total": FormValue.number(total),
            ]),
            "variants": .array(variants.map(\.json)),
            "goal": .members([
                "metric": .string(metric), "window": window.json, "expected": FormValue.number(expected, by: -2),
                "detect": FormValue.number(detect, by: -2),
            ]),
            "analysis": analysis,
        ])
    }

    // A user who returns to daily reading need not empty the other input.
    private var analysis: JSONValue? {
        if method.isEmpty || method == "sequential" { return nil }
        return .members(["method": .string(method), "sampleSize": FormValue.number(sampleSize)])
    }

    private static func list(_ text: String) -> JSONValue? {
        let words = text.split { $0.isWhitespace || $0 == "," }
        return words.isEmpty ? nil : .texts(words.map(String.init))
    }

    private static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue? {
        let object = JSONValue.members(members)
        return object == .object([]) ? nil : object
    }
}

/// A period of the calendar as a number and a unit.
struct PeriodFields: Equatable {
    /// The letters of ISO 8601, in the order of the choice.
    static let units = [("D", "days"), ("W", "weeks"), ("M", "months"), ("Y", "years")]

    let number: String
    let unit: String

    init(number: String, unit: String) {
        self.number = number
        self.unit = unit
    }

    /// Reads the draft's value. A value that is not a period becomes the number.
    init(_ value: JSONValue?) {
        let text = FormValue.shown(value)
        let unit = String(text.suffix(1))
        if text.hasPrefix("P"), text.count > 1, Self.units.contains(where: { $0.0 == unit }) {
            self.init(number: String(text.dropFirst().dropLast()), unit: unit)
        } else {
            self.init(number: text, unit: "D")
        }
    }

    /// The value as the draft keeps it; nil if there is no number.
    var json: JSONValue? {
        number.trimmed.isEmpty ? nil : .string("P\(number.trimmed)\(Self.units.contains { $0.0 == unit } ? unit : "D")")
    }
}
