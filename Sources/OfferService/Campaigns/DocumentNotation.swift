/// The notation of a document: JSON, or YAML, in which authors may omit quotes.
package enum DocumentNotation: Sendable {
    /// A value must have the expected type.
    case json
    /// A number where a text is expected is read as that text, because in YAML authors write a group's id without quotes.
    case yaml
}
