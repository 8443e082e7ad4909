/// The second, 64-bit part of a TZif file.
struct TimeZoneFile {
    let times: [Int64]
    /// The index of the type that begins at each time.
    let types: [Int]
    /// The offset of each type, in seconds east of UTC.
    let offsets: [Int64]
    /// The rule for all later times, in the form of the environment variable `TZ`; may be empty.
    let footer: String

    /// Returns nil for any other file.
    init?(_ file: [UInt8]) {
        guard let first = Header(file[...], timeSize: 4), first.version >= 0x32,
            let rest = file[...].dropping(Header.size + first.bodySize), let header = Header(rest, timeSize: 8),
            let body = rest.dropping(Header.size), let end = rest.dropping(Header.size + header.bodySize)
        else { return nil }
        let bytes = Array(body)
        times = (0..<header.times).map { bytes.integer(at: $0 * 8, size: 8) }
        let typesStart = header.times * 8
        types = (0..<header.times).map { Int(bytes[typesStart + $0]) }
        let offsetsStart = typesStart + header.times
        offsets = (0..<header.types).map { Int64(Int32(truncatingIfNeeded: bytes.integer(at: offsetsStart + $0 * 6, size: 4))) }
        guard !offsets.isEmpty, types.allSatisfy(offsets.indices.contains) else { return nil }
        footer = String(decoding: end, as: UTF8.self).filter { $0 != "\n" }
    }

    private struct Header {
        static let size = 44

        let version: UInt8
        let times, types: Int
        let bodySize: Int

        init?(_ file: ArraySlice<UInt8>, timeSize: Int) {
            let bytes = Array(file.prefix(Self.size))
            guard bytes.count == Self.size, bytes.starts(with: Array("TZif".utf8)) else { return nil }
            version = bytes[4]
            let counts = (0..<6).map { Int(bytes.integer(at: 20 + $0 * 4, size: 4)) }
            times = counts[3]
            types = counts[4]
            bodySize =
                times * (timeSize + 1) + types * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1] + counts[0]
        }
    }
}

extension [UInt8] {
    /// Returns a big-endian integer.
    fileprivate func integer(at start: Int, size: Int) -> Int64 {
        Int64(bitPattern: self[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

extension ArraySlice<UInt8> {
    fileprivate func dropping(_ count: Int) -> ArraySlice<UInt8>? { self.count >= count ? dropFirst(count) : nil }
}
