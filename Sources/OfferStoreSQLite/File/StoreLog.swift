import GRDB
import Glibc
import OfferStore

/// The log beside a file of the store.
///
/// It has what has not been copied into the file yet.
enum StoreLog {
    /// Throws if there is a log, but no file or an empty one: a connection that reads an empty file removes its log.
    ///
    /// - Parameter path: the file's path.
    static func requireFile(_ path: String) throws(StoreError) {
        var (status, log) = (stat(), stat())
        let size = stat(path, &status) == 0 ? status.st_size : 0
        guard size == 0, stat("\(path)-wal", &log) == 0, log.st_size > 0 else { return }
        throw StoreError(
            .damaged,
            "\(path) is missing or empty, but its log is not: put the right file back, "
                + "or restore a backup and put \(path)-wal aside")
    }
}

extension Configuration {
    /// Has each connection look at the file before it reads from it, so that none removes the log of an emptied file.
    ///
    /// - Parameter path: the path of the file that is opened.
    mutating func keepLog(of path: String) {
        prepareDatabase { _ in try StoreLog.requireFile(path) }
    }
}
