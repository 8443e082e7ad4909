import Foundation
import Glibc

/// Bytes to look for in this process's memory, kept masked so that the search does not find itself.
struct MaskedSecret {
    private static let mask: UInt8 = 0x5A

    private let masked: [UInt8]

    init(_ hexadecimal: String) {
        let digits = Array(hexadecimal)
        masked = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
    }

    /// How often the secret stands in any readable page.
    func occurrences() -> Int {
        MaskedSecret.readableRegions().reduce(0) { $0 + occurrences(in: $1) }
    }

    private func occurrences(in region: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var rest = region
        let first = Int32(masked[0] ^ MaskedSecret.mask)
        while rest.count >= masked.count, let hit = memchr(rest.baseAddress!, first, rest.count - masked.count + 1) {
            let offset = UnsafeRawPointer(hit) - rest.baseAddress!
            if stands(at: offset, in: rest) { count += 1 }
            rest = UnsafeRawBufferPointer(rebasing: rest[(offset + 1)...])
        }
        return count
    }

    private func stands(at offset: Int, in region: UnsafeRawBufferPointer) -> Bool {
        for index in masked.indices where region[offset + index] ^ MaskedSecret.mask != masked[index] { return false }
        return true
    }

    private static func readableRegions() -> [UnsafeRawBufferPointer] {
        maps().split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            let bounds = columns[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard columns[1].hasPrefix("rw"), bounds.count == 2 else { return nil }
            return UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: bounds[0]), count: Int(bounds[1] - bounds[0]))
        }
    }

    /// The kernel returns the list in pieces; a reader that stops at the first short one misses mappings.
    private static func maps() -> String {
        let file = open("/proc/self/maps", O_RDONLY)
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &piece, piece.count), count > 0 { text += piece[..<count] }
        return String(decoding: text, as: UTF8.self)
    }
}
