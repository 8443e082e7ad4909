/// A file of the key folder that is no key of the service, and why.
package struct KeyFault: Equatable, Sendable {
    /// Its name; that of the folder or the manifest where it is about the whole.
    package let file: String
    /// A sentence with a remedy.
    package let reason: String

    /// Takes the values as they are.
    package init(file: String, reason: String) {
        self.file = file
        self.reason = reason
    }
}
