/// A picture or text that was uploaded for Retention Messaging.
package struct RetentionUpload: Equatable, Sendable {
    /// The UUID under which it was uploaded.
    package let identifier: String
    /// Apple's decision: `PENDING`, `APPROVED` or `REJECTED`, or a word that Apple adds later.
    package let state: String
    /// The size of a picture: `FULL_SIZE` or `BULLET_POINT`; nil for a text, and if Apple does not state the size.
    package let size: String?
}
