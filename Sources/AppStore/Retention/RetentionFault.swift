/// Why the App Store would not take what is to be uploaded; found before anything is sent.
package struct RetentionFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, for people.
    package let description: String

    init(_ description: String) { self.description = description }
}
