/// HTML under construction. Text is escaped, except the markup of this program.
struct HTMLText {
    private(set) var source = ""

    /// Appends an element with text.
    mutating func element(_ tag: String, class style: String? = nil, id: String? = nil, _ text: String) {
        element(tag, class: style, id: id) { $0.append(text) }
    }

    /// Appends an element with the content that `content` appends to it.
    mutating func element(
        _ tag: String,
        class style: String? = nil,
        id: String? = nil,
        _ content: (inout HTMLText) -> Void
    ) {
        source += "<\(tag)"
        for (name, value) in [("class", style), ("id", id)] {
            if let value { source += " \(name)=\"\(HTMLText.escaped(value))\"" }
        }
        source += ">"
        content(&self)
        source += "</\(tag)>"
    }

    /// Appends a link to a place on this page, or to a path of this service.
    mutating func link(_ target: String, _ text: String) {
        source += "<a href=\"\(HTMLText.escaped(target))\">\(HTMLText.escaped(text))</a>"
    }

    /// Appends text, escaped.
    mutating func append(_ text: String) { source += HTMLText.escaped(text) }

    /// Appends markup that is written in the source, never the document's.
    mutating func append(markup: StaticString) { source += "\(markup)" }

    /// Appends a description: paragraphs, lists with `- `, and words in `code` font.
    mutating func prose(_ text: String) {
        var isList = false
        for line in text.split(separator: "\n") {
            let isItem = line.hasPrefix("- ")
            if isItem != isList { source += isItem ? "<ul>" : "</ul>" }
            isList = isItem
            element(isItem ? "li" : "p") { $0.words(isItem ? line.dropFirst(2) : line) }
        }
        if isList { source += "</ul>" }
    }

    /// Appends one line of a description.
    mutating func words(_ line: Substring) {
        for (index, part) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) { append(String(part)) } else { element("code", String(part)) }
        }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
