import Glibc

/// The destination of commands' messages.
enum StandardError {
    /// Writes a line.
    static func note(_ text: String) { write("\(text)\n") }

    /// Writes a text unchanged.
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
