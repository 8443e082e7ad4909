import Yams

/// All problems of a configuration at once.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One sentence for each problem. It begins with the key or file that the problem is about.
    let problems: [String]

    init(_ problems: [String]) { self.problems = problems }

    init(_ problem: String) { self.init([problem]) }

    var description: String { problems.map { "configuration: \($0)" }.joined(separator: "\n") }
}

extension YamlError {
    /// The place and the problem. No value of the file is repeated, because it may be a secret.
    var place: String {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
            "line \(mark.line), column \(mark.column): \(problem)"
        case .duplicatedKeysInMapping(let names, let context):
            "line \(context.mark.line): twice in one map: \(names.joined(separator: ", "))"
        case .reader(let problem, _, _, _): problem
        default: "it cannot be parsed"
        }
    }
}

extension Sequence where Element: Hashable {
    /// The elements that occur more than once.
    var repeated: Set<Element> {
        var (seen, repeated) = (Set<Element>(), Set<Element>())
        for element in self where !seen.insert(element).inserted { repeated.insert(element) }
        return repeated
    }
}
