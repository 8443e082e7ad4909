import Glibc

/// A JSON value of any kind.
///
/// It keeps the order of members and the spelling of numbers.
package enum JSONValue: Equatable, Sendable {
    /// One name and its value.
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Whether the member has this name, byte for byte.
        ///
        /// It does not use `==`, which would first normalise names that are not ASCII.
        package func isNamed(_ other: String) -> Bool {
            guard name.utf8.count == other.utf8.count else { return false }
            let isEqual = name.utf8.withContiguousStorageIfAvailable { left in
                other.utf8.withContiguousStorageIfAvailable { right in
                    left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
                }
            }
            return isEqual.flatMap { $0 } ?? name.utf8.elementsEqual(other.utf8)
        }
    }

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// Returns the value of an object's member; nil if there is no such member, or if this is not an object.
    package func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.index(named: name).map { members[$0].value }
    }
}

extension [JSONValue.Member] {
    /// The index of the first member with this name; nil if there is none.
    package func index(named name: String) -> Int? {
        // The members are read in place, because `firstIndex(where:)` would copy each of them, which changes reference counts.
        withUnsafeBufferPointer { members in
            let length = name.utf8.count
            var index = 0
            while index < members.count {
                if members[index].name.utf8.count == length, members[index].isNamed(name) { return index }
                index += 1
            }
            return nil
        }
    }
}

extension JSONValue {
    /// Returns the object with a member set to a value; nil removes the member.
    ///
    /// A value that is not an object is returned as it is.
    package func setting(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        let index = members.index(named: name)
        switch (index, value) {
        case (let index?, let value?): members[index] = Member(name: name, value: value)
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name: name, value: value))
        case (nil, nil): break
        }
        return .object(members)
    }
}

extension JSONValue {
    /// Parses one JSON text.
    package init(parsing bytes: [UInt8]) throws(JSONParser.Fault) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in try JSONParser.parse(bytes) }
    }

    /// The JSON text without white space. Members keep their order, and numbers their spelling.
    package var bytes: [UInt8] {
        JSONWriter.bytes { append(to: &$0) }
    }

    private func append(to json: inout JSONWriter) {
        switch self {
        case .null: json.append(raw: "null")
        case .bool(let flag): json.append(raw: flag ? "true" : "false")
        case .number(let number): json.append(unquoted: number)
        case .string(let string): json.append(string)
        case .array(let elements):
            JSONValue.append("[", elements, "]", to: &json) { $0.append(to: &$1) }
        case .object(let members):
            JSONValue.append("{", members, "}", to: &json) { member, json in
                json.append(member.name)
                json.append(raw: ":")
                member.value.append(to: &json)
            }
        }
    }

    private static func append<Part>(
        _ open: StaticString,
        _ parts: [Part],
        _ close: StaticString,
        to json: inout JSONWriter,
        _ append: (Part, inout JSONWriter) -> Void
    ) {
        json.append(raw: open)
        for (index, part) in parts.enumerated() {
            if index > 0 { json.append(raw: ",") }
            append(part, &json)
        }
        json.append(raw: close)
    }
}
