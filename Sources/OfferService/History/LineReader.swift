import Glibc

/// The lines of a file, a batch at a time, from any offset.
struct LineReader: ~Copyable {
    /// Some lines and their position.
    struct Batch: Sendable {
        /// Number of the first line, counted from 1.
        let firstLine: Int
        let lines: [ArraySlice<UInt8>]
        /// The offset of the next batch, in bytes.
        let end: Int
    }

    private static let chunk = 4 << 20
    private static let maxLineLength = 32 << 20

    private let file: Int32
    private var pending: [UInt8] = []
    private var offset: Int
    private var line: Int
    private var isAtEnd = false

    /// - Parameters:
    ///   - offset: bytes to skip: the `end` of an earlier batch.
    ///   - line: number of the line there.
    init(path: String, offset: Int, line: Int) throws {
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError("\(path): \(String(cString: strerror(errno)))") }
        lseek(file, offset, SEEK_SET)
        self.offset = offset
        self.line = line
    }

    deinit { close(file) }

    /// The next lines, some 4 MiB of them; nil at the end. Throws on a line over 32 MiB.
    mutating func next() throws -> Batch? {
        while true {
            let hadMore = try fill()
            if let last = pending.lastIndex(of: UInt8(ascii: "\n")) { return batch(upTo: last + 1) }
            guard hadMore else { return pending.isEmpty ? nil : batch(upTo: pending.count) }
            guard pending.count <= Self.maxLineLength else { throw FileError("line \(line) is longer than 32 MiB") }
        }
    }

    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        var chunk = [UInt8](repeating: 0, count: Self.chunk)
        let count = read(file, &chunk, Self.chunk)
        guard count >= 0 else { throw FileError("the file cannot be read: \(String(cString: strerror(errno)))") }
        isAtEnd = count == 0
        pending += chunk[..<count]
        return !isAtEnd
    }

    private mutating func batch(upTo count: Int) -> Batch {
        let whole = Array(pending[..<count])
        pending.removeFirst(count)
        let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last line feed ends a line and does not begin one.
        let used = whole.last == UInt8(ascii: "\n") ? lines.dropLast() : lines[...]
        let result = Batch(firstLine: line, lines: Array(used), end: offset + count)
        line += used.count
        offset += count
        return result
    }
}
