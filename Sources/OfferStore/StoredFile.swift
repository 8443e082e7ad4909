/// A file of the store, or whatever it is that holds it.
public protocol StoredFile: Sendable {
    /// Looks at it as a write would; throws why it could not be written.
    func look() async throws(StoreError)

    /// Throws once something was done to it that only a restart mends: what is read may be wrong.
    func checkIntact() throws(StoreError)

    /// Reads all of it beside those who write. Throws what is damaged.
    func examine() async throws(StoreError)

    /// Gives space back that nothing uses, while no service works on it.
    func compact() async throws(StoreError)

    /// Has services work on it again, although it was copied elsewhere.
    func reinstate() async throws(StoreError)

    /// Closes it once the work on it is done.
    func close() throws(StoreError)
}

extension StoredFile {
    /// Does nothing, for what gives space back by itself.
    public func compact() async throws(StoreError) {}

    /// Finds nothing, where nothing can be damaged.
    public func examine() async throws(StoreError) {}

    /// Does nothing, for what is never copied elsewhere.
    public func reinstate() async throws(StoreError) {}
}
