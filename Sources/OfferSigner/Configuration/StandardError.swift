import Glibc

/// Writes the messages of commands.
enum StandardError {
    /// Writes a line.
    static func note(_ line: String) { write(ShownText.bytes(Array(line.utf8), keepsLines: false) + [UInt8(ascii: "\n")]) }

    /// Writes several lines, or the beginning of a line. The line feeds must be the program's own, because they are not escaped.
    static func write(lines: String) { write(ShownText.bytes(Array(lines.utf8), keepsLines: true)) }

    private static func write(_ bytes: [UInt8]) { _ = Glibc.write(STDERR_FILENO, bytes, bytes.count) }
}

/// Makes text safe to show on a terminal. Everything that commands write goes through here.
///
/// Much of the text comes from elsewhere: ids, notes, reasons, names of files. A terminal would carry out a control character in
/// it. A line feed could fake a line of the program, a mark of direction could reorder the text, and an invisible character could
/// make one name look like another. All of these are written as the escapes of JSON, so that JSON keeps its meaning.
enum ShownText {
    private static let lineFeed = UInt8(ascii: "\n")

    /// - Parameter keepsLines: whether line feeds in the text are the program's own.
    static func bytes(_ text: [UInt8], keepsLines: Bool) -> [UInt8] {
        let isPlain = text.allSatisfy { (0x20..<0x7F).contains($0) || (keepsLines && $0 == lineFeed) }
        guard !isPlain else { return text }
        var shown: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if isShown(scalar) || (keepsLines && scalar == "\n") {
                shown += Array(UTF8.encode(scalar)!)
            } else {
                shown += escape(scalar).utf8
            }
        }
        return shown
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The joiners that emoji and some scripts need are not escaped.
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069,
            0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            false
        default: true
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: UTF16.encode(scalar)!.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
        }
    }
}
