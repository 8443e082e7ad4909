/// A file of the store that is looked at by itself, not only when somebody writes.
public protocol WatchedFile: Sendable {
    /// Looks at the file as a write would; throws why it could not be written.
    func look() async throws(StoreError)
}
