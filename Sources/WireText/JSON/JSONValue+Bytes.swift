extension JSONValue {
    /// Parses one JSON text.
    package init(parsing bytes: [UInt8]) throws(JSONParser.Fault) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in try JSONParser.parse(bytes) }
    }

    /// The JSON text, without white space. It keeps the order of members and the spelling of numbers.
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
