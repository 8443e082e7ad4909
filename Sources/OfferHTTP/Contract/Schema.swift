import OfferService
package import WireText

/// The form of a JSON value, written in JSON Schema 2020-12 for the OpenAPI document.
struct Schema: Sendable {
    let json: JSONValue

    /// Creates a form from JSON Schema's own keywords, if the functions below cannot express it.
    init(_ keywords: KeyValuePairs<String, JSONValue?>) { json = .members(keywords) }
    private init(json: JSONValue) { self.json = json }

    /// A reference to a form that the document describes under a name.
    static func named(_ name: String) -> Schema { Schema(["$ref": .string("#/components/schemas/\(name)")]) }

    static let null = Schema(["type": "null"])
    static let text = Schema(["type": "string"])
    static let number = Schema(["type": "number"])
    /// A whole number of 64 bits. Without the format, clients that are generated for Go and Kotlin would have only 32 bits, which
    /// are too few for a time in ms.
    static let integer = Schema(["type": "integer", "format": "int64"])
    static let flag = Schema(["type": "boolean"])
    /// An object with any members.
    static let anyObject = Schema(["type": "object"])

    /// A text whose number of Unicode scalars is in a range.
    static func text(_ length: ClosedRange<Int>, matching pattern: String? = nil) -> Schema {
        Schema([
            "type": "string", "minLength": length.lowerBound > 0 ? .integer(length.lowerBound) : nil,
            "maxLength": .integer(length.upperBound), "pattern": pattern.map(JSONValue.string),
        ])
    }

    static func text(matching pattern: String) -> Schema { Schema(["type": "string", "pattern": .string(pattern)]) }

    /// A text that a person writes, such as a reason.
    ///
    /// - Parameter least: the least number of characters.
    static func text(within limit: TextLimit, from least: Int = 0, matching pattern: String? = nil) -> Schema {
        text(least...limit.characters, matching: pattern)
    }

    /// An id of small letters, digits and hyphens.
    static let kebabCase = Schema.text(1...64, matching: "^[a-z0-9]+(?:-[a-z0-9]+)*$")

    /// Signed transactions or renewal infos.
    static func signedData(_ count: ClosedRange<Int>) -> Schema {
        let example = """
            eyJhbGciOiJFUzI1NiIsIng1YyI6WyJNSUlFTURDQ0E3YWdBd0lCQWdJUWZUbGZkMGZOdkZXdnpDMVlJQU5zWGpBSyIsIk1JSURG\
            akNDQXB5Z0F3SUJBZ0lVSXNHaFJ3cDBjMm52VTRZU3ljYWZQVGp6Yk5jd0NnWUkiLCJNSUlDUXpDQ0FjbWdBd0lCQWdJSUxjWDhp\
            TkxGUzVVd0NnWUlLb1pJemowRUF3TXdaekViTUJrRyJdfQ.eyJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMDEyMzQ1Njc4OSJ9.CzBV\
            ep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg
            """

        return .list(.someText.with("description", "A compact JWS.").with("examples", [.string(example)]), count)
    }

    /// A text that is not empty.
    static let someText = Schema(["type": "string", "minLength": 1])
    /// The pattern of texts that go into a signature: neither U+0000 nor U+2063, which separates the parts of a payload.
    ///
    /// U+0000 is written as `\x00`, because regular expressions in Go do not accept `\u0000`.
    static let plainText = "^[^\\x00\u{2063}]*$"
    /// A name that a company or Apple gives: 1 to 255 Unicode scalars, without U+0000 and U+2063.
    static let name = Schema.text(1...255, matching: Schema.plainText)
    /// An id of the App Store.
    static let transactionID = Schema.text(1...64, matching: "^[!-~]*$")
    /// A UUID in any spelling.
    static let uuid = Schema.text(
        36...36, matching: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$")
    /// A nonce as the service issues it.
    static let nonce = Schema.text(matching: "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
    /// Milliseconds since 1970, up to the largest number that every JSON parser can represent exactly.
    static let time = Schema([
        "type": "integer", "format": "int64", "minimum": .integer(0), "maximum": .integer(9_007_199_254_740_991 as Int64),
    ])

    static func integer(_ range: ClosedRange<Int>) -> Schema {
        Schema(["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    static func integer(_ range: PartialRangeFrom<Int>) -> Schema {
        Schema(["type": "integer", "format": "int64", "minimum": .integer(range.lowerBound)])
    }

    /// A value that is always the same.
    static func always(_ text: String) -> Schema { Schema(["type": "string", "const": .string(text)]) }
    static func always(_ flag: Bool) -> Schema { Schema(["type": "boolean", "const": .bool(flag)]) }
    /// One of these values and no other. Use it in requests.
    static func one(of values: String...) -> Schema { Schema(["type": "string", "enum": .texts(values)]) }
    /// One of these values, or one that a later version of the service adds. Use it in answers.
    static func known(_ values: String...) -> Schema { Schema(["type": "string", "x-known-values": .texts(values)]) }
    /// One of these forms.
    static func oneOf(_ forms: Schema...) -> Schema { Schema(["oneOf": .array(forms.map(\.json))]) }
    static func anyOf(_ forms: Schema...) -> Schema { Schema(["anyOf": .array(forms.map(\.json))]) }

    static func list(_ element: Schema, _ count: ClosedRange<Int>? = nil, from least: Int? = nil) -> Schema {
        Schema([
            "type": "array", "minItems": (count?.lowerBound ?? least).map { .integer($0) },
            "maxItems": count.map { .integer($0.upperBound) }, "items": element.json,
        ])
    }

    /// An object whose members may have any names, but all have one form.
    static func map(_ value: Schema) -> Schema { Schema(["type": "object", "additionalProperties": value.json]) }

    /// An object with these members.
    ///
    /// - Parameter isOpen: whether the object may have other members, too.
    static func object(_ fields: [Field], isOpen: Bool = false) -> Schema {
        let required = fields.filter(\.isRequired).map(\.name)
        return Schema([
            "type": "object", "required": required.isEmpty ? nil : .texts(required),
            "additionalProperties": isOpen ? nil : .bool(false),
            "properties": .object(fields.map { JSONValue.Member(name: $0.name, value: $0.json) }),
        ])
    }

    /// The same form, which may also be null.
    var orNull: Schema {
        guard case .string(let type)? = json.member("type") else { return self }
        return Schema(json: json.setting("type", .texts([type, "null"])))
    }

    /// Returns the same form with one more keyword.
    func with(_ keyword: String, _ value: JSONValue) -> Schema { Schema(json: json.setting(keyword, value)) }
}

/// A member of an object.
struct Field: Sendable {
    let name: String
    let isRequired: Bool
    let json: JSONValue

    /// A member that is always there.
    ///
    /// - Parameters:
    ///   - text: what the member means; nil if its name says it.
    ///   - example: an example of its value.
    init(_ name: String, _ schema: Schema, _ text: String? = nil, example: JSONValue? = nil) {
        self.init(name, schema, text, example, isRequired: true)
    }

    /// A member that may be absent.
    init(optional name: String, _ schema: Schema, _ text: String? = nil, example: JSONValue? = nil) {
        self.init(name, schema, text, example, isRequired: false)
    }

    private init(_ name: String, _ schema: Schema, _ text: String?, _ example: JSONValue?, isRequired: Bool) {
        self.name = name
        self.isRequired = isRequired
        var json = schema.json
        if let text { json = json.setting("description", .string(text)) }
        if let example { json = json.setting("examples", .array([example])) }
        self.json = json
    }
}

/// A form with a name, by which other forms refer to it.
struct NamedSchema: Sendable {
    let name: String
    /// The names of the members; empty if the form is not that of an object.
    let fields: [String]
    let json: JSONValue

    init(_ name: String, _ text: String?, _ schema: Schema) { self.init(name, text, schema, []) }
    init(_ name: String, _ text: String?, _ fields: [Field]) { self.init(name, text, .object(fields), fields.map(\.name)) }

    private init(_ name: String, _ text: String?, _ schema: Schema, _ fields: [String]) {
        self.name = name
        self.fields = fields
        json = text.map { schema.json.setting("description", .string($0)) } ?? schema.json
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .number("\(value)") }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Parses a JSON text in the source of the program.
    ///
    /// Ends the process if the text is faulty; every test that reads the document finds that.
    init(json text: String) {
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else { preconditionFailure("not JSON: \(text)") }
        self = value
    }
}
