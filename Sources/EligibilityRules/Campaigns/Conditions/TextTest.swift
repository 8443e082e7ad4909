/// A test of a text, byte by byte.
enum TextTest: Hashable, Sendable {
    case oneOf([ExactText])
    case startsWith(String)
    case contains(String)

    func holds(for text: String) -> Bool {
        switch self {
        case .oneOf(let texts):
            let exact = ExactText(text)
            for candidate in texts where candidate == exact { return true }
            return false
        case .startsWith(let prefix): return text.utf8.starts(with: prefix.utf8)
        case .contains(let part): return TextTest.contains(text.utf8, part.utf8)
        }
    }

    private static func contains(_ text: String.UTF8View, _ part: String.UTF8View) -> Bool {
        var rest = text[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
