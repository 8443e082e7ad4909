extension [String] {
    /// One placeholder each.
    var placeholders: String { map { _ in "?" }.joined(separator: ", ") }
}
