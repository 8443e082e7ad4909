import Glibc

/// The destination of commands' messages.
enum StandardError {
    /// Writes a line.
    static func note(_ line: String) { write(ShownText.bytes(Array(line.utf8), keepsLines: false) + [UInt8(ascii: "\n")]) }

    /// Writes a text whose line feeds are the program's own, or the beginning of a line.
    static func write(lines: String) { write(ShownText.bytes(Array(lines.utf8), keepsLines: true)) }

    private static func write(_ bytes: [UInt8]) { _ = Glibc.write(STDERR_FILENO, bytes, bytes.count) }
}
