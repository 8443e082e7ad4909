import Glibc
import OfferService

/// The destination of a command's results, a line at a time.
enum StandardOutput {
    /// Writes a line. Throws once the reader has gone.
    static func write(line: [UInt8]) throws { try write(line + [UInt8(ascii: "\n")]) }

    /// Writes a part of a line.
    static func write(_ bytes: [UInt8]) throws {
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
