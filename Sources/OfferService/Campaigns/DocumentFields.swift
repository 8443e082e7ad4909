import EligibilityRules
import WireText

/// The members of one object of a document.
struct DocumentFields {
    let path: String
    let reading: DocumentReading
    private let members: [JSONValue.Member]

    /// Nil if the value is not an object, which is a fault. A member that is not known is a fault as well.
    init?(_ value: JSONValue, at path: String, known: [String], _ reading: DocumentReading) {
        guard case .object(let members) = value else {
            reading.refuse(path, "must have keys of its own: \(known.joined(separator: ", "))")
            return nil
        }
        self.path = path
        self.reading = reading
        self.members = members
        for member in members where !known.contains(where: member.isNamed) {
            reading.refuse(
                self.path(member.name), "is not known here: correct the name to one of \(known.joined(separator: ", "))")
        }
    }

    /// The path of a member in the document, such as `goal.window`.
    func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// The value of a member; nil if the document leaves it out.
    ///
    /// A member without a value is a fault, because its author could have meant either nothing or everything.
    func value(_ name: String) -> JSONValue? {
        guard let value = members.index(named: name).map({ members[$0].value }) else { return nil }
        guard value != .null else {
            reading.refuse(path(name), "is empty: give it a value, or remove the line")
            return nil
        }
        return value
    }

    /// Records a fault if a required member is left out.
    func require(_ name: String, _ wanted: String) {
        if members.index(named: name) == nil { reading.refuse(path(name), "is missing: give \(wanted)") }
    }

    /// A required text; empty after a fault.
    func text(_ name: String) -> String {
        require(name, "a text")
        return optionalText(name) ?? ""
    }

    func optionalText(_ name: String) -> String? { value(name).flatMap { reading.text($0, at: path(name)) } }

    func integer(_ name: String) -> Int? { value(name).flatMap { reading.integer($0, at: path(name)) } }

    func number(_ name: String) -> Double? { value(name).flatMap { reading.number($0, at: path(name)) } }

    /// The value of a member that must be one of a few words; nil if the document leaves it out, or after a fault.
    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) -> Choice? where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        if case .string(let text) = value, let choice = Choice(rawValue: text) { return choice }
        reading.refuse(path(name), "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    func flag(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        if case .bool(let flag) = value { return flag }
        reading.refuse(path(name), "must be true or false")
        return nil
    }

    func period(_ name: String) -> CalendarPeriod? {
        guard let text = optionalText(name) else { return nil }
        if let period = CalendarPeriod(text) { return period }
        reading.refuse(path(name), "must be a period: P, a number from 1 to 9999, and D, W, M or Y, as in P90D for 90 days")
        return nil
    }

    func instant(_ name: String) -> Instant? {
        guard let text = optionalText(name) else { return nil }
        if case .at(let instant)? = ConditionTime(text) { return instant }
        reading.refuse(path(name), "must be a time in UTC such as 2026-03-01T09:00:00Z, or a date such as 2026-03-01")
        return nil
    }

    /// The members of an object that is the value of a member; nil if the document leaves it out, or after a fault.
    func object(_ name: String, known: [String]) -> DocumentFields? {
        value(name).flatMap { DocumentFields($0, at: path(name), known: known, reading) }
    }

    /// What `read` makes of the elements of a list. An element for which it returns nil is left out.
    func list<Value>(_ name: String, _ read: (JSONValue, String) -> Value?) -> [Value] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value else {
            reading.refuse(path(name), "must be a list, not \(DocumentReading.kind(value)): begin each element with a hyphen")
            return []
        }
        return elements.enumerated().compactMap { read($1, "\(path(name))[\($0)]") }
    }
}
