import FoundationEssentials

extension [String] {
    /// One placeholder each.
    var placeholders: String { map { _ in "?" }.joined(separator: ", ") }
}

extension Array where Element: Encodable {
    /// As one value, for `json_each`: however many they are, the statement is the same.
    var json: String { get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } }
}
