import Glibc
import OfferService

/// Where a command's results go, a line at a time.
enum StandardOutput {
    /// Writes a line. Throws once nobody takes it any more.
    static func write(line: [UInt8]) throws { try write(line + [UInt8(ascii: "\n")]) }

    /// Writes a part of one.
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
