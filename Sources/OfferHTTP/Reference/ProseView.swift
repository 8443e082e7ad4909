/// A paragraph or a list of a description.
struct ProseView: TemplateView {
    /// A list.
    struct List: TemplateView {
        var items: [RichText]
    }

    let paragraph: RichText?
    private(set) var list: List?

    /// Returns the parts of a description: lines are paragraphs, those that begin with `- ` are items of a list.
    static func all(of text: String?) -> [ProseView] {
        var parts: [ProseView] = []
        for line in (text ?? "").split(separator: "\n") {
            guard line.hasPrefix("- ") else {
                parts.append(ProseView(paragraph: .words(line)))
                continue
            }
            let item = RichText.words(line.dropFirst(2))
            if parts.isEmpty || parts[parts.count - 1].list?.items.append(item) == nil {
                parts.append(ProseView(paragraph: nil, list: List(items: [item])))
            }
        }
        return parts
    }
}

extension RichText {
    /// A line of a description, with words in `code` font.
    static func words(_ line: some StringProtocol) -> RichText {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        return RichText(
            runs: parts.compactMap { index, part in
                if !index.isMultiple(of: 2) { return Run(code: String(part)) }
                return part.isEmpty ? nil : Run(plain: String(part))
            })
    }
}
