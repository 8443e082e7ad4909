import OfferService
import WireText

/// A place in an OpenAPI document. It follows references within the document.
struct OpenAPINode {
    /// The name in the reference; nil if the value stands in place.
    let name: String?
    let value: JSONValue
    private let root: JSONValue

    /// Reads a whole document. Throws the fault of its JSON.
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

    /// The text of a scalar as JSON spells it, strings without quotes.
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
