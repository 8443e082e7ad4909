import OfferService
import WireText
import Yams

/// A YAML text as a JSON value, and the lines of its fields.
///
/// Without quotes, only `true` and `false` are Booleans, and only JSON numbers are numbers. So `NO` is a text, such as a country.
struct YAMLDocument {
    private(set) var value = JSONValue.null
    /// The line of each value, from 1, by its path, such as `campaigns[0].variants[1].weight`.
    private(set) var lines: [String: Int] = [:]
    /// The number of values that may still be read. A text without aliases has fewer values than characters, so this limit stops
    /// only aliases that repeat values without end.
    private var valuesLeft: Int

    /// Parses one document. The error states where the text is not YAML.
    init(_ yaml: String) throws(ConfigurationError) {
        valuesLeft = yaml.utf8.count + 1
        do {
            if let node = try Yams.compose(yaml: yaml) { value = try read(node, at: "") }
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw ConfigurationError((error as? YamlError)?.place ?? "it cannot be parsed")
        }
    }

    private mutating func read(_ node: Yams.Node, at path: String) throws -> JSONValue {
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw ConfigurationError("its aliases repeat too much") }
        if let mark = node.mark { lines[path] = mark.line }
        switch node {
        case .scalar(let scalar): return scalar.style == .plain ? YAMLDocument.plain(scalar.string) : .string(scalar.string)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for (index, element) in sequence.enumerated() { elements.append(try read(element, at: "\(path)[\(index)]")) }
            return .array(elements)
        case .mapping(let mapping):
            var members: [JSONValue.Member] = []
            for (key, value) in mapping {
                let name = key.scalar?.string ?? "?"
                let place = path.isEmpty ? name : "\(path).\(name)"
                members.append(JSONValue.Member(name: name, value: try read(value, at: place)))
                // The line of the key. For a map or list on lines of its own, this is the line that people look for.
                if let mark = key.mark { lines[place] = mark.line }
            }
            return .object(members)
        case .alias: throw ConfigurationError("YAML aliases are not supported")
        }
    }

    private static func plain(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            let isNumber = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil
            return isNumber ? .number(text) : .string(text)
        }
    }
}
