package import EligibilityRules
import GRDB
package import OfferStore

/// Both files of a store, as the source of a copy to another kind of store.
package struct SQLiteCopySource: CopySource {
    private let store: SQLiteStore
    private let histories: SQLiteHistoryFile
    private let target: String
    private let now: Instant
    private let leftOut: Set<String>

    /// Opens the files of a store that no service uses.
    ///
    /// Throws as `SQLiteStore` does.
    ///
    /// - Parameters:
    ///   - target: the name of the copy, for messages to later users of this store.
    ///   - secrets: the secrets to leave out if the store was copied before, because a service may have signed with the first
    ///     copy.
    ///   - onWait: called if another process is opening a file, for which it waits 10 s at most.
    package init(
        signatures path: String,
        histories historiesPath: String,
        audit: AuditFunctions,
        copiedTo target: String,
        onceWithout secrets: Set<String>,
        at now: Instant,
        onWait: (String) -> Void
    ) throws(StoreError) {
        store = try SQLiteStore(path: path, audit: audit, accepting: .copied, onWait: onWait)
        histories = try SQLiteHistoryFile(path: historiesPath, accepting: .copied, onWait: onWait)
        (self.target, self.now) = (target, now)
        let isCopied = "SELECT EXISTS (SELECT 1 FROM copied_away)"
        let wasCopied = try [store, histories.store].map { file throws(StoreError) in
            try file.readHere("look for a copy") { try Bool.fetchOne($0, sql: isCopied)! }
        }
        leftOut = wasCopied.contains(true) ? secrets : []
    }

    package func read<Value>(_ body: (any CopySourceRows) throws -> Value) throws -> Value {
        try store.pool.writeWithoutTransaction { signatures in
            try histories.store.pool.writeWithoutTransaction { histories in
                // Other writers wait or time out. Afterwards they find that the store was copied.
                for database in [signatures, histories] { try database.beginTransaction(.immediate) }
                defer { for database in [signatures, histories] where database.isInsideTransaction { try? database.rollback() } }
                return try body(
                    SQLiteCopyRows(
                        signatures: signatures, histories: histories, customerHash: self.histories.customerHash, target: target,
                        now: now, leftOut: leftOut))
            }
        }
    }

    package func close() throws(StoreError) {
        try histories.close()
        try store.close()
    }
}
