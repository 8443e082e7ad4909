/// The notation of a document: authors omit quotes in YAML, and not in JSON.
package enum DocumentNotation: Sendable {
    /// Every type must match.
    case json
    /// A number in place of a text is read as that text, as it was written: authors do not put a group's id in quotes.
    case yaml
}
