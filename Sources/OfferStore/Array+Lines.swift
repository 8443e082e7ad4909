extension [String] {
    /// Splits a text into lines.
    ///
    /// The stores keep a list of names as one text, because no name contains a line break.
    package init(lines text: String) { self = text.split(separator: "\n").map(String.init) }

    /// The elements as a text, one line each.
    package var lines: String { joined(separator: "\n") }
}
