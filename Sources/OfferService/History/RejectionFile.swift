import FoundationEssentials
import Glibc
import WireText

/// The report of lines that an import left out: `{"line":…,"code":…,"detail":…}`, one per line. Made only if there are any.
package struct RejectionFile {
    package let path: String
    /// Whether to delete the report of an earlier run.
    let isNew: Bool

    package init(path: String, isNew: Bool) {
        self.path = path
        self.isNew = isNew
        if isNew { unlink(path) }
    }

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
        guard file >= 0, write(file, text, text.count) == text.count else {
            throw FileError("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        close(file)
    }
}
