import EligibilityRules
import FoundationEssentials
import OfferService
import WireText

/// A campaign as the editor's form has it: what is typed into each input.
///
/// A draft can keep everything that the form holds, even faulty input, so the form can be saved in any state.
struct CampaignForm: Equatable {
    /// What is typed into each input, by the input's name.
    private var typed: [String: String] = [:]
    var from = MomentFields(date: "", time: "")
    var until = MomentFields(date: "", time: "")
    var audience = ConditionNode.root(nil)
    var variants: [VariantFields] = []
    /// The draft's schedule at the time when the form was made.
    ///
    /// It is kept so that times that the user does not change keep their spelling.
    var schedule: JSONValue?

    /// Reads a draft.
    init(_ json: JSONValue, in zone: TimeZone) {
        for field in FormField.all where field.kind != .moment {
            // The metric comes before the fields whose meaning depends on it.
            let field = field.with(metric: self[.metric])
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
    /// - Parameter fields: all values of the form's fields, by the fields' names.
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

    /// What is typed into the input of a field.
    ///
    /// For a period this is the number, without the unit.
    subscript(field: FormField) -> String {
        get { typed[field.id] ?? "" }
        set { typed[field.id] = newValue }
    }

    /// Returns what is typed into a field that is a period: a number and a unit.
    func period(_ field: FormField) -> PeriodFields {
        PeriodFields(number: self[field], unit: typed["\(field.id)-unit"] ?? "")
    }

    private mutating func set(_ period: PeriodFields, _ field: FormField) {
        (self[field], typed["\(field.id)-unit"]) = (period.number, period.unit)
    }

    /// Returns the campaign's JSON, as a draft keeps it.
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
        for field in FormField.all.map({ $0.with(metric: self[.metric]) })
        where field.kind != .moment && !field.path.hasPrefix("analysis.") {
            let path = field.path.split(separator: ".").map(String.init)
            guard let value = field.kind == .period ? period(field).json : field.kept(self[field]) else { continue }
            kept[path[0]] = path.count == 1 ? value : (kept[path[0]] ?? .object([])).setting(path[1], value)
        }
        return .object(
            Campaign.fieldNames.compactMap { name in kept[name].map { JSONValue.Member(name: name, value: $0) } })
    }

    // The sample size is left out unless the test is evaluated only once, at the end. A user who changes the method therefore
    // need not empty that input.
    private var analysis: JSONValue? {
        if ["", "sequential"].contains(self[.method]) { return nil }
        return .members(["method": .string(self[.method]), "sampleSize": FormField.sampleSize.kept(self[.sampleSize])])
    }

    private static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue? {
        let object = JSONValue.members(members)
        return object == .object([]) ? nil : object
    }
}

/// A period of the calendar, such as 14 days, as the inputs for its number and its unit.
struct PeriodFields: Equatable {
    /// The units: the letter of ISO 8601, and the word.
    ///
    /// The form offers them in this order.
    static let units = [("D", "days"), ("W", "weeks"), ("M", "months"), ("Y", "years")]

    let number: String
    let unit: String

    init(number: String, unit: String) {
        self.number = number
        self.unit = unit
    }

    /// Reads a draft's value such as `P14D`.
    ///
    /// A value that is not a period becomes the number, so that the user sees and corrects it.
    init(_ text: String) {
        let unit = String(text.suffix(1))
        if text.hasPrefix("P"), text.count > 1, Self.units.contains(where: { $0.0 == unit }) {
            self.init(number: String(text.dropFirst().dropLast()), unit: unit)
        } else {
            self.init(number: text, unit: "D")
        }
    }

    /// The value as a draft keeps it, such as `P14D`; nil if no number is typed.
    var json: JSONValue? {
        number.trimmed.isEmpty ? nil : .string("P\(number.trimmed)\(Self.units.contains { $0.0 == unit } ? unit : "D")")
    }
}
