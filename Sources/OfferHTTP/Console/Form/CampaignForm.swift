import EligibilityRules
import FoundationEssentials
import OfferService
import WireText

/// A campaign as the inputs of the editor. It holds only what a draft can keep, so that the form can be saved in any state.
struct CampaignForm: Equatable {
    /// What is typed, by the names of inputs.
    private var typed: [String: String] = [:]
    var from = MomentFields(date: "", time: "")
    var until = MomentFields(date: "", time: "")
    var audience = ConditionNode.root(nil)
    var variants: [VariantFields] = []
    /// The schedule of the draft when the form was made.
    var schedule: JSONValue?

    /// Reads a draft.
    init(_ json: JSONValue, in zone: TimeZone) {
        for field in FormField.all where field.kind != .moment {
            let value = field.path.split(separator: ".").reduce(json) { $0?.member(String($1)) }
            self[field] = field.typed(value)
            if field.kind == .period { set(PeriodFields(self[field]), field) }
        }
        schedule = json.member("schedule")
        from = MomentFields(schedule?.member("from"), in: zone)
        until = MomentFields(schedule?.member("until"), in: zone)
        audience = .root(json.member("audience"))
        if case .array(let all)? = json.member("variants") { variants = all.map(VariantFields.init) }
    }

    /// Reads a submitted form.
    ///
    /// - Parameter fields: all values of each name.
    init(_ fields: [String: [String]]) {
        func text(_ name: String) -> String { fields[name]?.first ?? "" }
        for field in FormField.all where field.kind != .moment {
            self[field] = text(field.id)
            if field.kind == .period { set(PeriodFields(number: text(field.id), unit: text("\(field.id)-unit")), field) }
        }
        schedule = try? JSONValue(parsing: Array(text("schedule").utf8))
        from = MomentFields(date: text("from"), time: text("from-time"), which: text("from-which"))
        until = MomentFields(date: text("until"), time: text("until-time"), which: text("until-which"))
        audience = ConditionNode(fields, id: "c")
        variants = (0..<min(Int(text("v.n")) ?? 0, 100)).map { VariantFields(fields, number: $0) }
    }

    /// What is typed into a field; of a period, the number.
    subscript(field: FormField) -> String {
        get { typed[field.id] ?? "" }
        set { typed[field.id] = newValue }
    }

    /// A field that is a period.
    func period(_ field: FormField) -> PeriodFields {
        PeriodFields(number: self[field], unit: typed["\(field.id)-unit"] ?? "")
    }

    private mutating func set(_ period: PeriodFields, _ field: FormField) {
        (self[field], typed["\(field.id)-unit"]) = (period.number, period.unit)
    }

    /// Returns the campaign as a draft keeps it.
    func json(bundleID: String, in zone: TimeZone) -> JSONValue {
        var kept: [String: JSONValue] = [
            "bundleId": .string(bundleID), "variants": .array(variants.map(\.json)),
        ]
        kept["audience"] = audience.audience
        kept["analysis"] = analysis
        kept["schedule"] = Self.object([
            "from": from.json(schedule?.member("from"), in: zone, isEnd: false),
            "until": until.json(schedule?.member("until"), in: zone, isEnd: true),
        ])
        for field in FormField.all where field.kind != .moment && !field.path.hasPrefix("analysis.") {
            let path = field.path.split(separator: ".").map(String.init)
            guard let value = field.kind == .period ? period(field).json : field.kept(self[field]) else { continue }
            kept[path[0]] = path.count == 1 ? value : (kept[path[0]] ?? .object([])).setting(path[1], value)
        }
        return .object(
            Campaign.fieldNames.compactMap { name in kept[name].map { JSONValue.Member(name: name, value: $0) } })
    }

    // A user who returns to daily reading need not empty the other input.
    private var analysis: JSONValue? {
        if ["", "sequential"].contains(self[.method]) { return nil }
        return .members(["method": .string(self[.method]), "sampleSize": FormField.sampleSize.kept(self[.sampleSize])])
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
    init(_ text: String) {
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
