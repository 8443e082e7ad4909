/// Any JSON text, with the order of its members and its numbers' spelling kept.
indirect enum JSONValue: Equatable, Sendable {
    /// One name and its value.
    struct Member: Equatable, Sendable {
        let name: String
        let value: JSONValue
    }

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
}
