/// Why the App Store would refuse an upload. The check is made before anything is sent.
package struct RetentionFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// A text that says what is wrong and what to do about it.
    package let description: String

    init(_ description: String) { self.description = description }
}
