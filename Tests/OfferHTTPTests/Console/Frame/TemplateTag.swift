/// A tag of a Mustache template.
struct TemplateTag {
    enum Kind { case text, unescaped, section, inverted, end, part, comment }

    let kind: Kind
    let name: String
    /// From 1.
    let line: Int

    /// Returns the tags of a template in their order.
    static func all(in template: String) -> [TemplateTag] {
        var tags: [TemplateTag] = []
        for (index, line) in template.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for match in line.matches(of: /\{\{(\{|[#^\/>!%])?\s*([^}]*?)\s*\}\}\}?/) {
                let kind: Kind =
                    switch match.1 {
                    case "{": .unescaped
                    case "#": .section
                    case "^": .inverted
                    case "/": .end
                    case ">": .part
                    case "!", "%": .comment
                    default: .text
                    }
                tags.append(TemplateTag(kind: kind, name: String(match.2), line: index + 1))
            }
        }
        return tags
    }
}
