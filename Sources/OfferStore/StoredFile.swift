/// A file or a database that holds a store.
public protocol StoredFile: Sendable {
    /// Checks in the same way as a write whether the file is writable; throws the reason if not.
    func look() async throws(StoreError)

    /// Throws once the file was changed from outside in a way that only a restart can repair. Until then, reads may be wrong.
    func checkIntact() throws(StoreError)

    /// Reads the whole file while others write. Throws `damaged` on a fault.
    func examine() async throws(StoreError)

    /// Gives unused space back to the file system. Call it while no service uses the file.
    func compact() async throws(StoreError)

    /// Lets services use the file again after it was copied to another store.
    func reinstate() async throws(StoreError)

    /// Closes the file once pending work is done.
    func close() throws(StoreError)
}

extension StoredFile {
    /// Does nothing. For stores that give unused space back by themselves.
    public func compact() async throws(StoreError) {}

    /// Does nothing. For stores that cannot be damaged.
    public func examine() async throws(StoreError) {}

    /// Does nothing. For stores that are never copied to another store.
    public func reinstate() async throws(StoreError) {}
}
