import EligibilityRules
import WireText

/// The part of an object that is kept for people: fields that no rule reads, and values that are not recognised.
extension AppleObject {
    /// Returns nil if there is none.
    ///
    /// - Parameters:
    ///   - kept: fields that are kept whatever their value.
    ///   - dates: dates of a receipt, which are kept if they cannot be read.
    ///   - enumerations: fields whose unknown values are kept, with their names in this object.
    func particulars(
        kept: [String],
        dates: [String] = [],
        _ enumerations: [(field: String, enumeration: AppleEnumeration)]
    ) -> Particulars? {
        var facts: [Particulars.Fact] = []
        for name in kept {
            guard let value = self[name], let text = AppleObject.text(value) else { continue }
            let enumeration = enumerations.first { $0.field == name }?.enumeration
            facts.append(Particulars.Fact(name: name, value: text, isRecognised: enumeration?.isKnown(value) ?? true))
        }
        for (field, enumeration) in enumerations where !kept.contains(field) {
            guard let value = self[field], let text = AppleObject.text(value), !enumeration.isKnown(value) else { continue }
            facts.append(Particulars.Fact(name: enumeration.name, value: text, isRecognised: false))
        }
        for name in dates {
            guard let text = unreadableDate(name) else { continue }
            facts.append(Particulars.Fact(name: name, value: String(text.prefix(1000)), isRecognised: false))
        }
        return facts.isEmpty ? nil : Particulars(facts)
    }

    /// Returns the names of the fields whose values are not known.
    func unrecognised(_ enumerations: [AppleEnumeration]) -> [String] {
        enumerations.filter { enumeration in
            self[enumeration.name].map { AppleObject.text($0) != nil && !enumeration.isKnown($0) } ?? false
        }.map(\.name)
    }

    /// Returns a value as text. It is bounded, since it is kept forever and shown in one line.
    private static func text(_ value: JSONValue) -> String? {
        let text: String
        switch value {
        case .null: return nil
        case .bool(let flag): text = flag ? "true" : "false"
        case .number(let number): text = number
        case .string(let string): text = string
        case .array, .object: text = String(decoding: value.bytes, as: UTF8.self)
        }
        return text.isEmpty || text.utf8.contains(0) ? nil : String(text.prefix(1000))
    }
}
