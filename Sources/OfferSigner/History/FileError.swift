/// A file that cannot be read or written, in words for whoever named it.
struct FileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
