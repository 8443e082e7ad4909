import OfferService
import WireText

/// A value in an OpenAPI document. If the value is a reference within the document, the node is the value that it refers to.
struct OpenAPINode {
    /// The name in the reference; nil if the value was not reached through a reference.
    let name: String?
    let value: JSONValue
    private let root: JSONValue

    /// Reads a whole document. Throws if it is not valid JSON.
    init(document: [UInt8]) throws(JSONParser.Fault) {
        var parsed: Result<JSONValue, JSONParser.Fault> = .success(.null)
        document.withUnsafeBufferPointer { bytes in
            do throws(JSONParser.Fault) { parsed = .success(try JSONParser.parse(bytes, maxNames: 255)) } catch {
                parsed = .failure(error)
            }
        }
        root = try parsed.get()
        value = root
        name = nil
    }

    private init(_ value: JSONValue, in root: JSONValue) {
        self.root = root
        guard let path = value.member("$ref")?.text else {
            (self.value, name) = (value, nil)
            return
        }
        let steps = path.split(separator: "/").dropFirst()
        self.value = steps.reduce(root) { $0.member(String($1)) ?? .null }
        name = steps.last.map(String.init)
    }

    /// The member of this name; nil if there is none, or if this is not an object.
    subscript(member: String) -> OpenAPINode? { value.member(member).map { OpenAPINode($0, in: root) } }

    /// The members of an object, in the document's order.
    var members: [(name: String, node: OpenAPINode)] {
        guard case .object(let members) = value else { return [] }
        return members.map { ($0.name, OpenAPINode($0.value, in: root)) }
    }

    /// The elements of an array.
    var elements: [OpenAPINode] {
        guard case .array(let elements) = value else { return [] }
        return elements.map { OpenAPINode($0, in: root) }
    }

    /// The string; nil if this is not one.
    var text: String? { value.text }

    /// The text of a string, a number or a Boolean, as JSON writes it, but without the quotation marks of a string.
    var scalar: String? {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .array, .object: nil
        }
    }
}

extension JSONValue {
    fileprivate func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

extension OpenAPINode {
    /// The type of a schema in words, such as "list of OfferToSign, or null".
    var typeText: String {
        let types = self["type"].map { $0.text.map { [$0] } ?? $0.elements.compactMap(\.text) } ?? []
        let variants = (self["oneOf"] ?? self["anyOf"])?.elements ?? []
        var words: [String] = []
        if !variants.isEmpty {
            words = variants.map(\.typeText)
        } else if let items = self["items"] {
            words = ["list of \(items.typeText)"]
        } else if let name, self["properties"] != nil {
            words = [name]
        } else {
            words = types.filter { $0 != "null" }
        }
        if words.isEmpty { words = [self["enum"] != nil || self["const"] != nil ? "string" : "any"] }
        let isNullable = types.contains("null") || allowed.contains("null")
        return words.joined(separator: " or ") + (isNullable ? ", or null" : "")
    }

    /// Returns in words which values and lengths a schema allows. Values that the text `described` already names are left out.
    func boundsText(described: String) -> String {
        var bounds: [String] = []
        let values = allowed.filter { $0 != "null" && !described.contains("`\($0)`") }
        if !values.isEmpty { bounds.append(values.map { "`\($0)`" }.joined(separator: ", ")) }
        bounds += [
            span("minLength", "maxLength", "characters"), span("minItems", "maxItems", "elements"),
            span("minimum", "maximum", ""),
        ].compactMap { $0 }
        if let value = self["default"]?.scalar { bounds.append("default `\(value)`") }
        if values.isEmpty, let example = self["examples"]?.elements.first?.scalar ?? self["example"]?.scalar,
            !example.isEmpty, example.utf8.count < 100
        {
            bounds.append("example `\(example)`")
        }
        return bounds.joined(separator: "; ")
    }

    private var allowed: [String] {
        [self["enum"], self["x-known-values"]].compactMap { $0 }.flatMap { $0.elements.compactMap(\.scalar) }
            + [self["const"]?.scalar].compactMap { $0 }
    }

    private func span(_ least: String, _ most: String, _ unit: String) -> String? {
        let unit = unit.isEmpty ? "" : " \(unit)"
        // This is the largest whole number that every JSON parser can represent exactly. It need not be stated.
        let upper = self[most]?.scalar.flatMap { $0 == "9007199254740991" ? nil : $0 }
        let lower = self[least]?.scalar.flatMap { $0 == "0" ? nil : $0 }
        switch (lower, upper) {
        case (let lower?, let upper?): return lower == upper ? lower + unit : "\(lower) to \(upper)\(unit)"
        case (nil, let upper?): return "at most \(upper)\(unit)"
        case (let lower?, nil): return lower == "1" && !unit.isEmpty ? nil : "at least \(lower)\(unit)"
        case (nil, nil): return nil
        }
    }
}
