/// A picture or text that was uploaded.
package struct RetentionUpload: Equatable, Sendable {
    /// The UUID under which it was uploaded.
    package let identifier: String
    /// `PENDING`, `APPROVED` or `REJECTED`. Apple may add others.
    package let state: String
    /// The size of a picture: `FULL_SIZE` or `BULLET_POINT`; nil if not stated.
    package let size: String?
}
