extension [String] {
    /// Splits a text into lines, as stores keep names without line breaks.
    package init(lines text: String) { self = text.split(separator: "\n").map(String.init) }

    /// The elements as a text, one line each.
    package var lines: String { joined(separator: "\n") }
}
