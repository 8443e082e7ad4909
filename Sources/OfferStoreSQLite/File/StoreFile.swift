import GRDB
import GRDBSQLite
import OfferStore

/// A store's file through SQLite's own handle. Opening and closing it separately would release SQLite's locks on it.
struct StoreFile {
    /// The first bytes of the file itself, without regard to its log.
    struct Header {
        private static let magic = Array("SQLite format 3\0".utf8)

        /// Minimum size of the file in bytes.
        let size: Int64
        /// The store's unique id; 0 if it has not been copied from the log yet.
        let storeID: UInt32

        fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.starts(with: Header.magic) else { return nil }
            func number(at offset: Int) -> UInt32 {
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            }
            let page = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
            size = Int64(number(at: 28)) * (page == 1 ? 65_536 : Int64(page))
            storeID = number(at: 60)
        }
    }

    static let headerSize = 100

    private let file: UnsafeMutablePointer<sqlite3_file>

    /// - Parameter database: a connection in WAL mode that has read from the file. Keep it open as long as this value is used.
    init(_ database: Database) throws(StoreError) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file, file.pointee.pMethods != nil else {
            throw StoreError(.unsuitable, "SQLite does not show the file it works on")
        }
        self.file = file
    }

    /// Returns nil if the file is not an SQLite file. The file must have `headerSize` bytes, as it may be mapped.
    func header() -> Header? {
        withUnsafeTemporaryAllocation(byteCount: StoreFile.headerSize, alignment: 8) { bytes in
            let code = file.pointee.pMethods.pointee.xRead?(file, bytes.baseAddress, Int32(bytes.count), 0)
            return code == SQLITE_OK ? Header(UnsafeRawBufferPointer(bytes)) : nil
        }
    }

    /// Waits until the disk has what was written to the file.
    func sync() throws {
        guard file.pointee.pMethods.pointee.xSync?(file, SQLITE_SYNC_NORMAL) == SQLITE_OK else {
            throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)
        }
    }

    /// The log's state, shared by the processes on this store; nil if they share nothing.
    func logIndex() -> LogIndex? {
        let methods = file.pointee.pMethods.pointee
        var region: UnsafeMutableRawPointer?
        guard methods.iVersion >= 2, methods.xShmMap?(file, 0, LogIndex.regionSize, 0, &region) == SQLITE_OK else { return nil }
        return region.map { LogIndex($0) }
    }
}
