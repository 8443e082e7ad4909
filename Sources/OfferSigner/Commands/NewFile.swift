import FoundationEssentials
import Glibc

/// Writes a file either completely or not at all.
enum NewFile {
    /// Writes a file, and replaces an existing file of that name.
    static func replace(_ path: String, with bytes: [UInt8]) throws(ConfigurationError) {
        let draft = "\(path).new-\(getpid())"
        do {
            try Data(bytes).write(to: URL(filePath: draft))
        } catch {
            throw ConfigurationError("\(path): cannot be written: \(String(cString: strerror(errno)))")
        }
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw ConfigurationError("\(path): cannot be written: \(reason)")
        }
    }
}
