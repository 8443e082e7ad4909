import FoundationEssentials
import Glibc

/// A file that is there whole, or as it was before.
enum NewFile {
    /// Writes a file in place of the one of that name, if there is one.
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
