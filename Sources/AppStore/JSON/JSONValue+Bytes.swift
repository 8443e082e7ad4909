package import OfferSigning

extension JSONValue {
    /// Parses one JSON text.
    init(parsing bytes: [UInt8]) throws(JSONParser.Fault) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in try JSONParser.parse(bytes) }
    }

    /// The JSON text, without white space; order of members and spelling of numbers are kept.
    package var bytes: [UInt8] {
        var text: [UInt8] = []
        append(to: &text)
        return text
    }

    private func append(to text: inout [UInt8]) {
        switch self {
        case .null: JSONText.append(raw: "null", to: &text)
        case .bool(let flag): JSONText.append(raw: flag ? "true" : "false", to: &text)
        case .number(let number): text.append(contentsOf: number.utf8)
        case .string(let string): JSONText.append(string, to: &text)
        case .array(let elements):
            JSONValue.append("[", elements, "]", to: &text) { $0.append(to: &$1) }
        case .object(let members):
            JSONValue.append("{", members, "}", to: &text) { member, text in
                JSONText.append(member.name, to: &text)
                JSONText.append(raw: ":", to: &text)
                member.value.append(to: &text)
            }
        }
    }

    private static func append<Part>(
        _ open: StaticString,
        _ parts: [Part],
        _ close: StaticString,
        to text: inout [UInt8],
        _ append: (Part, inout [UInt8]) -> Void
    ) {
        JSONText.append(raw: open, to: &text)
        for (index, part) in parts.enumerated() {
            if index > 0 { JSONText.append(raw: ",", to: &text) }
            append(part, &text)
        }
        JSONText.append(raw: close, to: &text)
    }
}
