import FoundationEssentials
import GRDB
public import OfferStore

/// The file of purchase histories, beside that of signatures.
///
/// In a file of their own, histories stay in the readers' memory while signatures are written, and an import keeps no
/// signature waiting.
public struct SQLiteHistoryFile: Sendable {
    // Address space, not memory. SQLite maps no more than 2 GiB; what lies behind is read.
    private static let mappedMebibytes = 2047

    let store: SQLiteStore
    /// Finds customers' rows.
    let customerHash: SipHash

    /// Opens the file, creating it on first use, and brings its schema up to date. Throws as `SQLiteStore` does.
    ///
    /// - Parameters:
    ///   - cacheMebibytes: memory of each connection for pages; a bulk import wants its indexes in it.
    ///   - isCopiedAwayAccepted: false throws where the store was copied to a database.
    ///   - onWait: is told if another process is opening it, for which it waits 10 s at most.
    public init(
        path: String,
        cacheMebibytes: Int = 16,
        isCopiedAwayAccepted: Bool = false,
        onWait: (String) -> Void = { _ in }
    ) throws(StoreError) {
        store = try SQLiteStore(
            path: path, SQLiteMigrations.histories, isCopiedAwayAccepted: isCopiedAwayAccepted, cacheMebibytes: cacheMebibytes,
            mappedMebibytes: Self.mappedMebibytes, onWait: onWait)
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

    /// Moves the log into the file and closes every connection once their work is done.
    public func close() throws(StoreError) { try store.close() }
}
