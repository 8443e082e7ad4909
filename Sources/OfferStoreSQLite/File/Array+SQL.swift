import FoundationEssentials

extension [String] {
    /// One placeholder for each element.
    var placeholders: String { map { _ in "?" }.joined(separator: ", ") }
}

extension Array where Element: Encodable {
    /// The elements as one value for `json_each`, so that the statement does not depend on their number.
    var json: String { get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } }
}
