import FoundationEssentials
import Glibc
import OfferSigning

/// Small text files that the service reads.
enum TextFile {
    /// Returns the whole text.
    ///
    /// - Parameter purpose: the key or option that names the file, for the error.
    static func read(_ path: String, for purpose: String? = nil) throws(ConfigurationError) -> String {
        String(decoding: try bytes(of: path, for: purpose), as: UTF8.self)
    }

    /// Returns the content as it is, even if it is not UTF-8.
    ///
    /// - Parameter purpose: the key or option that names the file, for the error.
    static func bytes(of path: String, for purpose: String? = nil) throws(ConfigurationError) -> [UInt8] {
        try checkReadable(path, for: purpose)
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ConfigurationError("\(prefix(purpose))\(path) cannot be read")
        }
        return Array(data)
    }

    /// Throws if a file cannot be read. The error has the system's reason, which the errors of libraries do not state.
    static func checkReadable(_ path: String, for purpose: String?) throws(ConfigurationError) {
        guard access(path, R_OK) == 0, let status = FileStatus(path: path) else {
            throw ConfigurationError("\(prefix(purpose))\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard !status.isFolder else {
            throw ConfigurationError("\(prefix(purpose))\(path) cannot be read: it is a folder")
        }
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private static func prefix(_ purpose: String?) -> String { purpose.map { "\($0): " } ?? "" }
}
