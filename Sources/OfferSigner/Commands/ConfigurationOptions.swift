import ArgumentParser

/// The sources of the configuration, the same for every command that needs one.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "A configuration file; repeat to lay several over each other, the last wins.",
            discussion: "Without it, offersigner.yaml is read if it exists. OFFERSIGNER_* variables win over files.",
            valueName: "file"))
    var files: [String] = []

    func load() throws -> ServiceConfiguration { try ServiceConfiguration.load(files: files) }

    /// Returns the configuration with every key known and well-formed. Nothing else is checked.
    ///
    /// - Parameter isOptional: whether the configuration may be missing.
    func tree(isOptional: Bool = false) throws -> ConfigurationTree {
        try ServiceConfiguration.tree(files: files, isOptional: isOptional)
    }
}
