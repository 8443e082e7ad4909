import ArgumentParser

/// Keeps the catalogue as App Store Connect has it.
struct CatalogueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "Compare the catalogue with App Store Connect, and fetch it from there.",
        subcommands: [CataloguePullCommand.self])
}
