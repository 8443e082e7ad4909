extension [String] {
    /// The lines of a text, as stores keep names that have no line breaks.
    package init(lines text: String) { self = text.split(separator: "\n").map(String.init) }

    /// One line each.
    package var lines: String { joined(separator: "\n") }
}
