import ArgumentParser
import OfferService

/// Runs the service until it is stopped.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service.",
        discussion: """
            Stops on SIGTERM, SIGINT or SIGQUIT once every accepted request is answered, on a second one at once. \
            On SIGHUP it reads the configuration again, applies the log's level, rates, rules and catalogues, and names what waits \
            for a restart. Ignores SIGUSR1 and SIGUSR2.
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Serve a store that another process of this machine may be serving, too.")
    var allowSecondProcess = false

    func run() async throws {
        let signals = ProcessSignals()
        OpenFileLimit.raise()
        // `DatabaseWait` uses only the log of this environment. Each attempt makes an environment of its own, because metrics can
        // be registered only once in each.
        let environment = ServiceEnvironment(try options.load(), system: .live, sink: .standardOutput)
        let application = try await DatabaseWait(environment).start {
            try await ServiceApplication(environment.configuration, allowsSecondProcess: allowSecondProcess)
        }
        try await application.run(signals, load: { [options] in try options.load() })
    }
}
