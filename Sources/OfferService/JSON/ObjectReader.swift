import EligibilityRules
package import FoundationEssentials
package import WireText

/// Reads the fields of one JSON object. It collects all faults, so that a caller learns of them at once.
package struct ObjectReader {
    /// The faults of a whole request. The readers of its parts share them.
    package final class Faults {
        package var unknown: [FieldFault] = []
        package var invalid: [FieldFault] = []

        /// Throws if there was any fault.
        package func check() throws(RequestFault) {
            guard unknown.isEmpty else { throw .unknownFields(unknown) }
            guard invalid.isEmpty else { throw .invalidFields(invalid) }
        }
    }

    /// How many Unicode scalars of an unknown field's name are repeated in a fault.
    private static let maxQuoted = 64
    private static let maxNumberLength = 64

    package let faults: Faults
    private let members: [JSONValue.Member]
    private let place: Place

    /// The place of an object in the body. It is put into words only if there is a fault to report.
    private struct Place {
        /// The prefix of the object in which the list is; empty for the body itself.
        let holder: String
        let list: String
        let index: Int

        var path: String { list.isEmpty ? "" : "\(holder)\(list)[\(index)]" }
        /// The prefix of the names of the object's fields.
        var prefix: String { list.isEmpty ? "" : path + "." }
    }

    private var prefix: String { place.prefix }

    /// Parses a body, which must be an object with no other fields than these.
    package static func read(_ bytes: UnsafeBufferPointer<UInt8>, fields: [String]) throws(RequestFault) -> ObjectReader {
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch { throw .malformed(error) }
        return try read(value, fields: fields)
    }

    /// Takes a value, which must be an object with no other fields than these.
    package static func read(_ value: JSONValue, fields: [String]) throws(RequestFault) -> ObjectReader {
        guard case .object(let members) = value else {
            throw .malformed(JSONParser.Fault(offset: 0, reason: "the body must be a JSON object"))
        }
        return ObjectReader(members, Place(holder: "", list: "", index: 0), fields: fields, faults: Faults())
    }

    private init(_ members: [JSONValue.Member], _ place: Place, fields: [String], faults: Faults) {
        self.members = members
        self.place = place
        self.faults = faults
        // No name occurs twice. If the number of known fields equals the number of members, no field is unknown.
        var known = 0
        for field in fields where members.index(named: field) != nil { known += 1 }
        guard known < members.count else { return }
        for member in members where !fields.contains(where: { member.isNamed($0) }) {
            let reason = "unknown field; known are \(fields.joined(separator: ", "))"
            faults.unknown.append(FieldFault(name: prefix + ObjectReader.quoted(member.name), reason: reason))
        }
    }

    // The name is cut by scalars. A name of a mebibyte may be one single character, and finding its end would be slow.
    private static func quoted(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: maxQuoted, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return name }
        return name[..<end] + "…"
    }

    /// Records a fault of a field of this object.
    package func refuse(_ name: String, _ reason: String) {
        faults.invalid.append(FieldFault(name: prefix + name, reason: reason))
    }

    /// The value of a field; nil if it is absent or null.
    package func value(_ name: String) -> JSONValue? {
        guard let index = members.index(named: name) else { return nil }
        if case .null = members[index].value { return nil }
        return members[index].value
    }

    /// Whether a field is present, even if it is null.
    package func has(_ name: String) -> Bool { members.index(named: name) != nil }

    /// An optional text; nil if it is absent, or after a fault.
    package func optionalText(_ name: String, mayBeEmpty: Bool = false) -> String? {
        value(name).flatMap { text($0, of: name, mayBeEmpty: mayBeEmpty) }
    }

    private func text(_ value: JSONValue, of name: String, mayBeEmpty: Bool) -> String? {
        guard case .string(let text) = value else {
            refuse(name, "must be a string")
            return nil
        }
        if let reason = Identifier.fault(of: text, mayBeEmpty: mayBeEmpty) {
            refuse(name, reason)
            return nil
        }
        return text
    }

    /// A required text; empty after a fault.
    package func text(_ name: String) -> String {
        guard let value = value(name) else {
            refuse(name, "is missing")
            return ""
        }
        return text(value, of: name, mayBeEmpty: false) ?? ""
    }

    /// Words that a person has written, in the field that the limit names; empty if the field is absent.
    package func text(within limit: TextLimit, isRequired: Bool = false) -> String {
        guard let value = value(limit.field) else {
            if isRequired { refuse(limit.field, "is missing") }
            return ""
        }
        guard case .string(let text) = value else {
            refuse(limit.field, "must be a string")
            return ""
        }
        if let fault = limit.fault(of: text) {
            refuse(fault.name, fault.reason)
        } else if isRequired, text.allSatisfy(\.isWhitespace) {
            refuse(limit.field, "is empty")
        }
        return text
    }

    /// An optional UUID, in upper or lower case.
    package func optionalUUID(_ name: String) -> UUID? {
        guard let text = optionalText(name) else { return nil }
        guard let uuid = UUID(text: text) else {
            refuse(name, "must be a UUID of 36 characters")
            return nil
        }
        return uuid
    }

    /// An optional whole number in a range.
    package func optionalInteger(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = value(name) else { return nil }
        guard case .number(let text) = value, let number = ObjectReader.integer(text), range.contains(number) else {
            refuse(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    // JSON does not distinguish 1 from 1.0 or 1e0, and some programs write a whole number in these forms.
    private static func integer(_ text: String) -> Int64? {
        guard text.utf8.count <= maxNumberLength else { return nil }
        return Int64(text) ?? Double(text).flatMap(Int64.init(exactly:))
    }

    /// An optional Boolean.
    package func optionalBool(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .bool(let flag) = value else {
            refuse(name, "must be true, false or null")
            return nil
        }
        return flag
    }

    /// The objects of a required list, whose length must be in the range. An element that is not an object is a fault and is left
    /// out.
    package func objects(_ name: String, count: ClosedRange<Int>, fields: [String]) -> [ObjectReader] {
        guard case .array(let elements)? = value(name), count.contains(elements.count) else {
            refuse(name, "must be a list of \(count.lowerBound) to \(count.upperBound) objects")
            return []
        }
        let holder = prefix
        var objects: [ObjectReader] = []
        objects.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            let place = Place(holder: holder, list: name, index: index)
            if case .object(let members) = element {
                objects.append(ObjectReader(members, place, fields: fields, faults: faults))
            } else {
                faults.invalid.append(FieldFault(name: place.path, reason: "must be an object"))
            }
        }
        return objects
    }

    /// Checks a text that is not in the body but, for example, in the path. The rules are those for fields.
    package func check(_ text: String?, as name: String) {
        guard let text else { return refuse(name, "must be percent-encoded UTF-8") }
        if let reason = Identifier.fault(of: text) { refuse(name, reason) }
    }

    /// An optional list of texts; nil if it is absent, or after a fault.
    package func optionalTexts(_ name: String, count: ClosedRange<Int>) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value, count.contains(elements.count) else {
            refuse(name, "must be a list of \(count.lowerBound) to \(count.upperBound) strings")
            return nil
        }
        return elements.enumerated().map { index, element in
            guard case .string(let text) = element else {
                refuse("\(name)[\(index)]", "must be a string")
                return ""
            }
            if let reason = Identifier.fault(of: text) { refuse("\(name)[\(index)]", reason) }
            return text
        }
    }

    /// The optional AppTransaction of the customer: a compact JWS, whose signature is not verified here. Nil if it is absent, or
    /// after a fault.
    package func signedAppTransaction() -> String? {
        let name = "signedAppTransaction"
        guard let value = value(name) else { return nil }
        if case .string(let text) = value, !text.isEmpty { return text }
        refuse(name, "must be a compact JWS: the jwsRepresentation of AppTransaction.shared")
        return nil
    }

    /// An optional list of compact JWS; empty if it is absent, or after a fault. Their signatures are not verified here.
    package func signedData(_ name: String, count: ClosedRange<Int>) -> [String] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value, count.contains(elements.count) else {
            refuse(name, "must be a list of \(count.lowerBound) to \(count.upperBound) compact JWS")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            guard case .string(let text) = element, !text.isEmpty else {
                refuse("\(name)[\(index)]", "must be a compact JWS")
                return nil
            }
            return text
        }
    }
}
