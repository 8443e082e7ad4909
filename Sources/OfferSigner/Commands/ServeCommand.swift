import ArgumentParser

/// Runs the service until it is told to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service.",
        discussion: "Stops on SIGTERM or SIGINT once every accepted request is answered."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        OpenFileLimit.raise()
        try await ServiceApplication.build(options.load()).run()
    }
}
