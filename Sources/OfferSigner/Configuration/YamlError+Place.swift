import Yams

extension YamlError {
    /// The place and the problem, without a word of the file, which may hold secrets.
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
