/// The scope of a limit: the text that begins all names of its uses.
///
/// A class, to be created once: stores recognise the instance, and avoid hashing the text again.
public final class LimitScope: Sendable {
    /// The text. It ends with what no id contains.
    public let text: String

    /// Creates a scope with the text as it is.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    /// A name as one text.
    public func text(of name: LimitName) -> String { "\(text)\(name.kind.word)\(name.id)" }
}
