/// The notation of a document.
///
/// It matters because authors may omit quotes in YAML but not in JSON.
package enum DocumentNotation: Sendable {
    /// Every type must match.
    case json
    /// A number where a text is expected is read as the text that was written, because authors do not put a group's id in quotes.
    case yaml
}
