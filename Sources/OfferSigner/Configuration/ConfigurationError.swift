/// All problems of a configuration at once.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One sentence for each problem, which begins with the key or file that it is about.
    let problems: [String]

    init(_ problems: [String]) { self.problems = problems }

    init(_ problem: String) { self.init([problem]) }

    var description: String { problems.map { "configuration: \($0)" }.joined(separator: "\n") }
}
