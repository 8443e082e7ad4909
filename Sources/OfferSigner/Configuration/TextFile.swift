import FoundationEssentials

/// Small text files that the service is given.
enum TextFile {
    /// The whole text.
    static func read(_ path: String) throws(ConfigurationError) -> String {
        do {
            return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        } catch {
            throw ConfigurationError("\(path) cannot be read")
        }
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
