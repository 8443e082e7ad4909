import FoundationEssentials
import Testing

@testable import OfferService

@Suite("Lines of an import")
struct LineReaderTests {
    @Test(
        "Every line is read once, whatever ends the file, and a reader can go on behind any batch",
        arguments: [
            "", "\n", "a", "a\n", "a\n\nb", "a\r\n\r\n", String(repeating: "1\n", count: 25_000) + "last",
            String(repeating: "x", count: 9 << 20) + "\nshort\n" + String(repeating: "y", count: 5 << 20),
        ])
    func lines(text: String) throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/lines-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        var whole = try LineReader(path: path, offset: 0, line: 1)
        var expected = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        if expected.last == [] { expected.removeLast() }
        var (found, batches): ([[UInt8]], [(line: Int, end: Int)]) = ([], [])
        while let batch = try whole.next() {
            #expect(batch.firstLine == found.count + 1)
            // As little of it is in memory at once as is read at once.
            #expect(!batch.lines.isEmpty && batch.lines.count <= 10_000)
            found += batch.lines.map(Array.init)
            batches.append((batch.firstLine + batch.lines.count, batch.end))
        }
        #expect(found == expected && batches.last?.end ?? 0 == text.utf8.count)
        for (line, end) in batches.dropLast() {
            var rest = try LineReader(path: path, offset: end, line: line)
            let next = try rest.next()
            #expect(next?.firstLine == line && next?.lines.first.map(Array.init) == expected[line - 1])
        }
    }

    @Test("The report of an interrupted run is cut back to what was noted, and goes on there")
    func report() throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/report-\(UUID()).jsonl"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func lines() throws -> [String] {
            String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n").map(String.init)
        }
        func rejected(_ lines: Range<Int>) -> [HistoryImport.Rejected] {
            lines.map { HistoryImport.Rejected(line: $0, code: "malformed-json", detail: "line\n\($0)") }
        }
        let first = try RejectionFile(path: path, keeping: 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        try first.append(rejected(1..<4))
        try first.append(rejected(4..<9))
        let whole = try lines()
        #expect(whole.count == 8)
        try RejectionFile(path: path, keeping: 5).append(rejected(6..<9))
        #expect(try lines() == whole)
        // Fewer than were noted: nothing is lost of what is there.
        _ = try RejectionFile(path: path, keeping: 100)
        #expect(try lines() == whole)
        _ = try RejectionFile(path: path, keeping: 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try RejectionFile(path: path, keeping: 3)
    }
}
