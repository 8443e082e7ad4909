public import ArgumentParser
public import FoundationEssentials
import WireText

extension UUID: @retroactive ExpressibleByArgument {
    /// Reads 36 characters, in capitals or not.
    public init?(argument: String) { self.init(text: argument) }
}
