/// A file that cannot be read or written, in words for the operator who named it.
package struct FileError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
