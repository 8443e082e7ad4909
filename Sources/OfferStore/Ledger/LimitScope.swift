/// What is limited: the text with which the names under which it counts begin.
///
/// A class, to be made once: stores know it again, and hash the text no more often than they must.
public final class LimitScope: Sendable {
    /// No id has what it ends with.
    public let text: String

    /// Takes the text as it is.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    /// A name as one text.
    public func text(of name: LimitName) -> String { "\(text)\(name.kind.word)\(name.id)" }
}
