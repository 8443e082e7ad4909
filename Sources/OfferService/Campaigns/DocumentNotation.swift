/// What a document was written in: the same value, but not the same habits.
package enum DocumentNotation: Sendable {
    /// Every type must be right.
    case json
    /// A number that stands where a text is wanted is that text, as it was written: nobody puts a group's id in quotes.
    case yaml
}
