import FoundationEssentials
import Glibc
import WireText

/// The report of the lines that an import has left out. It has one `{"line":…,"code":…,"detail":…}` on each line.
///
/// The file is made only if a line was left out. Each batch is written at once, so that even millions of lines take little
/// memory.
package struct RejectionFile {
    package let path: String

    /// - Parameter count: the number of lines that an earlier run had reported when its progress was last saved. Any further
    ///   lines in the file are cut off, because this run will report them again.
    package init(path: String, keeping count: Int) throws {
        self.path = path
        guard count > 0 else {
            unlink(path)
            return
        }
        // If there is no file, the operator has removed the report, and this run begins a new one.
        guard let length = try Self.length(of: count, in: path) else { return }
        guard truncate(path, length) == 0 else { throw Self.error(path) }
    }

    /// Adds the rejected lines at the end of the file.
    package func append(_ rejected: [HistoryImport.Rejected]) throws {
        guard !rejected.isEmpty else { return }
        let text = JSONWriter.bytes { json in
            for line in rejected {
                json.append(raw: #"{"line":"#)
                json.append(Int64(line.line))
                json.append(raw: #","code":"#)
                json.append(line.code)
                json.append(raw: #","detail":"#)
                json.append(line.detail)
                json.append(raw: "}\n")
            }
        }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard file >= 0, write(file, text, text.count) == text.count else { throw Self.error(path) }
    }

    /// The length in bytes of the first `count` lines of a file, or of the whole file if it has fewer lines; nil if there is no
    /// file.
    private static func length(of count: Int, in path: String) throws -> Int? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var (length, left) = (0, count)
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let size = read(file, &chunk, chunk.count)
            guard size >= 0 else { throw error(path) }
            guard size > 0 else { return length }
            for index in 0..<size where chunk[index] == UInt8(ascii: "\n") {
                left -= 1
                if left == 0 { return length + index + 1 }
            }
            length += size
        }
    }

    private static func error(_ path: String) -> FileError {
        FileError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
