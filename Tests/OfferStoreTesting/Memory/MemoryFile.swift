package import OfferStore

/// What cannot fail.
package struct MemoryFile: StoredFile {
    package init() {}

    package func look() async throws(StoreError) {}

    package func checkIntact() throws(StoreError) {}

    package func close() throws(StoreError) {}
}
