import Glibc

/// Reads the lines of a file from any offset, a batch at a time.
struct LineReader: ~Copyable {
    /// The lines of one batch, and their position.
    struct Batch: Sendable {
        /// The number of the first line. The first line of the file has number 1.
        let firstLine: Int
        let lines: [ArraySlice<UInt8>]
        /// Where the next batch begins, as an offset in bytes.
        let end: Int
    }

    private static let chunk = 4 << 20
    private static let maxLineLength = 32 << 20
    // The number of lines is bounded as well, because what is made of a line takes memory even if the line is short.
    private let maxLines: Int
    private let file: Int32
    private var pending: [UInt8] = []
    /// How many bytes of `pending` were already returned.
    private var used = 0
    private var offset: Int
    private var line: Int
    private var isAtEnd = false

    /// - Parameters:
    ///   - offset: the number of bytes to skip, which is the `end` of an earlier batch.
    ///   - line: the number of the line at that offset.
    ///   - maxLines: maximum number of lines in a batch.
    init(path: String, offset: Int, line: Int, maxLines: Int = 10_000) throws {
        self.maxLines = maxLines
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError("\(path): \(String(cString: strerror(errno)))") }
        guard lseek(file, offset, SEEK_SET) == offset else {
            close(file)
            throw FileError("\(path): cannot go to byte \(offset): \(String(cString: strerror(errno)))")
        }
        self.offset = offset
        self.line = line
    }

    deinit { close(file) }

    /// The next lines: some 4 MiB, but at most `maxLines`; nil at the end of the file. Throws on a line of more than 32 MiB.
    mutating func next() throws -> Batch? {
        var lines: [ArraySlice<UInt8>] = []
        while true {
            var begin = used
            while lines.count < maxLines, let end = pending[begin...].firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(pending[begin..<end])
                begin = end + 1
            }
            if !lines.isEmpty { return batch(lines, upTo: begin) }
            guard pending.count - used <= Self.maxLineLength else { throw FileError("line \(line) is longer than 32 MiB") }
            guard try fill() else { return used < pending.count ? batch([pending[used...]], upTo: pending.count) : nil }
        }
    }

    /// Drops the bytes that were returned, and reads more behind the rest. Returns false at the end of the file.
    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        pending = Array(pending[used...])
        used = 0
        var chunk = [UInt8](repeating: 0, count: Self.chunk)
        let count = read(file, &chunk, Self.chunk)
        guard count >= 0 else { throw FileError("the file cannot be read: \(String(cString: strerror(errno)))") }
        isAtEnd = count == 0
        pending += chunk[..<count]
        return !isAtEnd
    }

    private mutating func batch(_ lines: [ArraySlice<UInt8>], upTo end: Int) -> Batch {
        offset += end - used
        used = end
        defer { line += lines.count }
        return Batch(firstLine: line, lines: lines, end: offset)
    }
}
