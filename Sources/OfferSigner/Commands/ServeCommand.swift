import ArgumentParser

/// Runs the service until it is stopped.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service.",
        discussion: """
            Stops on SIGTERM, SIGINT or SIGQUIT once every accepted request is answered, on a second one at once. \
            Reads level and extent of the log (`logging`) from the configuration again on SIGHUP. Ignores SIGUSR1 and SIGUSR2.
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Serve a store that another process of this machine may be serving, too.")
    var allowSecondProcess = false

    func run() async throws {
        let signals = ProcessSignals()
        OpenFileLimit.raise()
        try await ServiceApplication(options.load(), allowsSecondProcess: allowSecondProcess)
            .run(signals, load: { [options] in try options.load() })
    }
}
