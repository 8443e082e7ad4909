import ArgumentParser

/// Purchase histories from the command line.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Import purchase histories, and look at them.",
        subcommands: [HistoryImportCommand.self, HistoryShowCommand.self]
    )
}
