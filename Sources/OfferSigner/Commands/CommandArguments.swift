public import ArgumentParser
import EligibilityRules
public import FoundationEssentials
import WireText

extension Instant {
    /// Reads a time such as `2020-05-18T10:50:00Z`.
    init(iso8601 text: String) throws {
        guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
            throw ValidationError("\(text) is not a time such as 2020-05-18T10:50:00Z")
        }
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}

extension UUID: @retroactive ExpressibleByArgument {
    /// Reads 36 characters, in capitals or not.
    public init?(argument: String) { self.init(text: argument) }
}

extension String {
    /// Returns the text with spaces appended, so that columns align.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// Why a command cannot run in the present state. The program then exits with 1. A wrong option is a `ValidationError` instead.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

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
