/// A picture or text that was uploaded.
package struct RetentionUpload: Equatable, Sendable {
    /// The UUID it was uploaded under.
    package let identifier: String
    /// `PENDING`, `APPROVED` or `REJECTED`; new ones are possible.
    package let state: String
    /// Of a picture: `FULL_SIZE` or `BULLET_POINT`; nil where the App Store does not say.
    package let size: String?
}
