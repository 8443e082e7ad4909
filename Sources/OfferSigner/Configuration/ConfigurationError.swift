/// Everything that is wrong with a configuration, all of it at once.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One sentence each, led by the key or file that it is about.
    let problems: [String]

    init(_ problems: [String]) { self.problems = problems }

    init(_ problem: String) { self.init([problem]) }

    var description: String { problems.map { "configuration: \($0)" }.joined(separator: "\n") }
}
