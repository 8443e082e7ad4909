import ArgumentParser

/// What is measured without HTTP.
@main
struct CoreBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "core-bench", abstract: "Measure what a signature costs without HTTP.",
        subcommands: [SigningBench.self, IssuingBench.self, TurnBench.self, AuditBench.self])
}
