import EligibilityRules
import WireText

/// Reads the fields of one JSON object from Apple. A field that is missing or malformed is read as nil; that is not an error.
struct AppleObject: Sendable {
    private let members: [JSONValue.Member]

    static let empty = AppleObject(members: [])

    private init(members: [JSONValue.Member]) { self.members = members }

    /// Returns nil unless the value is an object.
    init?(_ value: JSONValue?) {
        guard case .object(let members)? = value else { return nil }
        self.members = members
    }

    /// Parses a JSON text. Returns nil if it is not valid, or is not an object.
    init?(parsing bytes: [UInt8]) { self.init(try? JSONValue(parsing: bytes)) }

    /// The value of a field as received; nil if there is no such field.
    subscript(name: String) -> JSONValue? { members.index(named: name).map { members[$0].value } }

    /// A text, such as an id.
    func text(_ name: String) -> String? { self[name]?.appleText }

    /// The id of a line item; nil if the field is missing or 0. Receipts and Xcode write 0 for a purchase that has no such id.
    func lineItemID(_ name: String) -> String? { text(name).flatMap { $0 == "0" ? nil : $0 } }

    /// A whole number.
    func integer(_ name: String) -> Int64? { self[name]?.appleInteger }

    /// A Boolean.
    func flag(_ name: String) -> Bool? { self[name]?.appleFlag }

    /// A value of one of Apple's integer enumerations in signed data.
    ///
    /// Only a whole JSON number counts: a fraction is not rounded, and a text is not read as a number.
    func code(_ name: String) -> Int64? {
        if case .number? = self[name] { integer(name) } else { nil }
    }

    /// An instant that is written as milliseconds since 1970.
    func instant(_ name: String) -> Instant? { measure(name).map(Instant.init(milliseconds:)) }

    /// A number that may have a fraction, such as a date from Xcode. It is rounded down.
    func measure(_ name: String) -> Int64? { self[name]?.appleMeasure }

    /// A date of a receipt. It is looked for as ms since 1970 under `NAME_ms` and `NAME`, and then as text under `NAME` and
    /// `NAME_formatted`.
    func date(_ name: String) -> Instant? {
        let stamp = ["\(name)_ms", name].lazy.compactMap(instant).first { $0.milliseconds >= 0 }
        return stamp
            ?? text(name).flatMap(AppleDate.instant(_:)) ?? text("\(name)_formatted").flatMap(AppleDate.instant(_:))
    }

    /// The text of a receipt's date that cannot be read; nil if the date can be read, or is missing.
    func unreadableDate(_ name: String) -> String? {
        guard date(name) == nil else { return nil }
        return ["\(name)_ms", name, "\(name)_formatted"].lazy.compactMap(text).first
    }

    /// A nested object.
    func object(_ name: String) -> AppleObject? { AppleObject(self[name]) }

    /// The names of the object's fields, in order.
    var names: [String] { members.map(\.name) }

    /// All nested objects, in order.
    var objects: [AppleObject] { members.compactMap { AppleObject($0.value) } }

    /// The objects in a list. A single object in place of a list counts as a list of one.
    func objects(_ name: String) -> [AppleObject] {
        switch self[name] {
        case .array(let elements)?: elements.compactMap(AppleObject.init)
        case let value: AppleObject(value).map { [$0] } ?? []
        }
    }

    /// The texts of a list; nil if the field is not a list.
    func texts(_ name: String) -> [String]? {
        guard case .array(let elements)? = self[name] else { return nil }
        return elements.compactMap(\.appleText)
    }

    /// Returns the object without some fields.
    func without(_ names: String...) -> JSONValue {
        .object(members.filter { member in !names.contains { member.isNamed($0) } })
    }
}

extension AppleObject {
    /// The field `environment`; nil for an environment that is not recognised.
    var environment: AppStoreEnvironment? { text("environment").flatMap(AppStoreEnvironment.init) }
}

extension AppleObject {
    /// Returns the field `appAccountToken` in lower case. It is the UUID that the app has given the customer.
    func accountToken(_ stamp: Stamp) -> Stamped<ExactText>? {
        text("appAccountToken").map { Stamped(ExactText($0.lowercased()), stamp) }
    }
}

/// Selects the part of an object that is stored only for people to read: fields that no rule uses, and values that this version
/// of the service does not know.
extension AppleObject {
    /// Returns this part of the object; nil if it is empty.
    ///
    /// - Parameters:
    ///   - kept: the names of the fields that are always stored.
    ///   - dates: the names of a receipt's dates. A date is stored only if it cannot be read.
    ///   - enumerations: the fields with a fixed set of values. A value is stored only if it is not one of them. `field` is the
    ///     name that the field has in this object.
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

    /// Returns a value as text, cut to 1000 characters because it is stored for ever and shown in one line.
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
