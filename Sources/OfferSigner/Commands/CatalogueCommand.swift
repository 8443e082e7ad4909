import ArgumentParser

/// Commands about the catalogue in App Store Connect.
struct CatalogueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "Compare the catalogue with App Store Connect, and fetch it from there.",
        subcommands: [CataloguePullCommand.self])
}
