public import ArgumentParser
public import EligibilityRules
import OfferService

/// The app that a command is about, and the environment.
struct AppOptions: ParsableArguments {
    @Option(name: .customLong("app"), help: ArgumentHelp("The app. Default: the only one.", valueName: "bundle id"))
    var bundleID: String?

    @Option(
        help: ArgumentHelp(
            "Purchases of this environment, production or sandbox. Default: the app's own.", valueName: "environment"))
    var environment: App.Environment?
}

extension App.Environment: ExpressibleByArgument {
    /// Reads Apple's name, in capitals or not.
    package init?(argument: String) {
        let found = App.Environment.allCases.first { $0.rawValue.lowercased() == argument.lowercased() }
        guard let found else { return nil }
        self = found
    }

    /// The environments that most commands support.
    package static var allValueStrings: [String] { ["production", "sandbox"] }
}

extension BillingPlan: ExpressibleByArgument {}
