extension KeyFile {
    /// Copies the file to a path, with access for the folder's owner only. Returns false if that exists.
    package func copy(to path: String) throws(SigningError) -> Bool {
        try withContents { contents throws(SigningError) in try KeyFolderFile.create(path, contents) }
    }
}
