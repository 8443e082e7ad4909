import ArgumentParser
import OfferService

/// Which app a command asks about, and in which environment.
struct AppOptions: ParsableArguments {
    @Option(name: .customLong("app"), help: ArgumentHelp("The app. Default: the only one.", valueName: "bundle id"))
    var bundleID: String?

    @Option(
        help: ArgumentHelp(
            "Purchases of this environment, production or sandbox. Default: the app's own.", valueName: "environment"))
    var environment: App.Environment?
}

extension App.Environment: ExpressibleByArgument {
    /// Apple's name, in capitals or not.
    package init?(argument: String) {
        let found = App.Environment.allCases.first { $0.rawValue.lowercased() == argument.lowercased() }
        guard let found else { return nil }
        self = found
    }

    /// Those that a command is good for, as a rule.
    package static var allValueStrings: [String] { ["production", "sandbox"] }
}
