import FoundationEssentials
import Glibc

/// Small text files that the service is given.
enum TextFile {
    /// The whole text.
    ///
    /// - Parameter purpose: the key or option that names the file, for the error.
    static func read(_ path: String, for purpose: String? = nil) throws(ConfigurationError) -> String {
        // Foundation's errors name neither file nor reason in a way to show.
        let isReadable = access(path, R_OK) == 0
        let reason = isReadable ? "it is no file" : String(cString: strerror(errno))
        guard isReadable, let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ConfigurationError("\(purpose.map { "\($0): " } ?? "")\(path) cannot be read: \(reason)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
