import Glibc
import OfferService

/// Writes the results of commands.
enum StandardOutput {
    /// Writes a line of JSON or another text. Throws if nothing reads the output any more.
    static func write(line: [UInt8]) throws {
        try writeAsIs(ShownText.bytes(line, keepsLines: false) + [UInt8(ascii: "\n")])
    }

    /// Writes a part of a line.
    static func write(_ bytes: [UInt8]) throws { try writeAsIs(ShownText.bytes(bytes, keepsLines: false)) }

    /// Writes a text for people. It is lost if nothing reads the output any more.
    static func show(_ text: [UInt8], keepsLines: Bool, end: String) {
        try? writeAsIs(ShownText.bytes(text, keepsLines: keepsLines) + end.utf8)
    }

    private static func writeAsIs(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw FileError("standard output: \(String(cString: strerror(errno)))") }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// Prints a line. This hides the standard library's function, which does not escape control characters.
func print(_ line: String) { StandardOutput.show(Array(line.utf8), keepsLines: false, end: "\n") }

/// Prints a text of several lines. Its line feeds must be the program's own, because they are not escaped.
func print(lines: String, terminator: String = "\n") {
    StandardOutput.show(Array(lines.utf8), keepsLines: true, end: terminator)
}

/// Makes a call of the standard library's function an error, because it does not escape control characters (`ShownText`).
@available(*, unavailable, message: "print a String as a line, or as lines:")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
