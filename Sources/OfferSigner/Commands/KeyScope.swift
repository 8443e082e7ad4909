import ArgumentParser

/// The apps that a decision about a signing key is for, and its reason.
struct KeyScope: ParsableArguments {
    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "An app that it is for; repeat for several. Default: every app that the key serves.", valueName: "bundle id"))
    var apps: [String] = []

    @Option(help: "Why, in your words; it is kept.")
    var reason = ""
}
