/// Any JSON text, with the order of its members and its numbers' spelling kept.
package enum JSONValue: Equatable, Sendable {
    /// One name and its value.
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue
    }

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
}
