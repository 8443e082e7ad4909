import Glibc
import OfferStore
import OfferStoreSQLite

extension ServiceConfiguration {
    /// Shrinks the store's files by the space that they do not use. No service may use the store meanwhile.
    ///
    /// Returns each file's size before and after, in bytes.
    func compactStore() async throws -> [(path: String, before: Int64, after: Int64)] {
        let paths = try storeFiles().paths
        let lock = try lockStore(isNeeded: true)
        defer { lock?.release() }
        let before = paths.map(Self.size)
        // SQLite rewrites the file in this folder, which other users must not be able to read.
        setenv("SQLITE_TMPDIR", paths[0].lastIndex(of: "/").map { String(paths[0][...$0]) } ?? ".", 1)
        let store = try openStore(onWait: StandardError.note)
        for file in [store.signing.file, store.purchases.file] { try await file.compact() }
        try store.close()
        return zip(paths, before).map { ($0, $1, Self.size(of: $0)) }
    }

    private static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
