import FoundationEssentials
import GRDB
public import OfferStore
import OfferStoreSQL

/// The file of purchase histories, beside the file of signatures.
///
/// In a separate file, histories stay in the readers' memory while signatures are written, and an import delays no signature.
public struct SQLiteHistoryFile: Sendable {
    // The mapping takes address space, not memory. SQLite maps at most 2 GiB, and reads the rest of the file.
    private static let mappedMebibytes = 2047

    package let store: SQLiteStore
    /// The hash by which customers' rows are found.
    let customerHash: SipHash
    /// Whether changes that make events are recorded.
    let keepsEvents: Bool

    /// Opens the file, creates it on first use, and migrates its schema. Throws as `SQLiteStore` does.
    ///
    /// - Parameters:
    ///   - cacheMebibytes: page cache of each connection. In a bulk import the indexes must fit in it.
    ///   - acceptance: which stores are opened besides the one that was used here last.
    ///   - keepsEvents: whether changes make events.
    ///   - onWait: called if another process is opening the file. Waits at most 10 s.
    public init(
        path: String,
        cacheMebibytes: Int = 16,
        accepting acceptance: StoreAcceptance = .current,
        keepsEvents: Bool = false,
        onWait: (String) -> Void = { _ in }
    ) throws(StoreError) {
        store = try SQLiteStore(
            path: path, .histories, accepting: acceptance, cacheMebibytes: cacheMebibytes,
            mappedMebibytes: Self.mappedMebibytes, onWait: onWait)
        self.keepsEvents = keepsEvents
        do {
            let key = try store.pool.read { try Data.fetchOne($0, sql: "SELECT key FROM customer_hash") }
            guard let key, key.count == 16 else {
                throw StoreError(.damaged, "\(path) has lost the key of its customers' hash; restore it from a back-up")
            }
            customerHash = SipHash(key: Array(key))
        } catch {
            throw StoreError(wrapping: error, doing: "open \(path)")
        }
    }

    /// Copies the log into the file, and closes all connections after their work.
    public func close() throws(StoreError) { try store.close() }
}
