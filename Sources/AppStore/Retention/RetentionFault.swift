/// Why the App Store would refuse an upload. It is found before anything is sent.
package struct RetentionFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The fault and the remedy, for people.
    package let description: String

    init(_ description: String) { self.description = description }
}
