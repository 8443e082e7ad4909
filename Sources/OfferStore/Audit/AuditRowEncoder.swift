/// Encodes a row as the bytes to hash, field by field. A length precedes each text, so different rows have different bytes.
///
/// Personal data enters as one keyed digest. When the data is erased, the digest stays in its place. Not thread-safe.
package final class AuditRowEncoder {
    private static let absent = UInt32.max
    private static let address = UInt32.max - 1
    private static let anonymous: UInt8 = 0
    private static let keyed: UInt8 = 1

    private let row = AuditBytes()
    private let personal = AuditBytes()
    private var isPersonal = false

    package init() {}

    /// Begins a row, with room for the preceding link.
    package func begin(_ table: AuditTable, id: Int64) {
        row.removeAll()
        personal.removeAll()
        isPersonal = false
        _ = row.room(for: AuditLink.length)
        row.append(table.code)
        row.append(id)
    }

    package func append(_ number: Int64) { row.append(number) }

    /// Appends a text's UTF-8 or a blob.
    package func append(_ bytes: UnsafeRawBufferPointer) { Self.append(bytes, to: row) }

    package func append(_ text: String) { Self.append(text, to: row) }

    package func append(_ text: String?) {
        if let text { append(text) } else { row.append(Self.absent) }
    }

    /// Appends a text's UTF-8; nil for NULL.
    package func append(optional bytes: UnsafeRawBufferPointer?) {
        if let bytes { append(bytes) } else { row.append(Self.absent) }
    }

    package func appendPersonal(_ text: String?) {
        guard let text else { return personal.append(Self.absent) }
        isPersonal = true
        Self.append(text, to: personal)
    }

    /// Appends a personal text's UTF-8; nil for NULL.
    package func appendPersonal(optional bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return personal.append(Self.absent) }
        isPersonal = true
        Self.append(bytes, to: personal)
    }

    /// Appends a list of lists of texts, `[["a","b"],…]`.
    ///
    /// In each inner list the texts after the first `count` are personal.
    ///
    /// A text that is not such a list is appended unchanged.
    package func append(list text: UnsafeRawBufferPointer, publicFields count: Int) {
        let (start, personalStart, wasPersonal) = (row.count, personal.count, isPersonal)
        row.append(UInt32(0))
        if AuditListScan.split(text, after: count, keep: row.append, cut: cut) {
            row.set(UInt32(row.count - start - 4), at: start)
        } else {
            row.removeAll(after: start)
            personal.removeAll(after: personalStart)
            isPersonal = wasPersonal
            Self.append(text, to: row)
        }
    }

    private func cut(_ bytes: UnsafeRawBufferPointer, fromList index: Int) {
        isPersonal = true
        personal.append(UInt32(truncatingIfNeeded: index))
        Self.append(bytes, to: personal)
    }

    /// Appends the address of a signature or refusal, after all other personal data.
    ///
    /// A row without an address has the same bytes as rows had before addresses were recorded.
    package func append(address text: String?) {
        guard var text else { return }
        text.withUTF8 { append(address: UnsafeRawBufferPointer($0)) }
    }

    /// Appends an address's UTF-8; nil for NULL.
    package func append(address bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return }
        isPersonal = true
        personal.append(Self.address)
        Self.append(bytes, to: personal)
    }

    /// Ends the row with the keyed digest of its personal data.
    package func finish(_ keyed: AuditFunctions.Digest) {
        guard isPersonal else { return row.append(Self.anonymous) }
        row.append(Self.keyed)
        keyed(personal.bytes, row.room(for: AuditLink.length))
    }

    /// Ends the row with the digest that replaces erased personal data. Returns false if the row still contains personal data.
    package func finish(erased digest: UnsafeRawBufferPointer) -> Bool {
        row.append(Self.keyed)
        row.append(digest)
        return !isPersonal && digest.count == AuditLink.length
    }

    /// The keyed digest of the row's personal data, after `finish`; nil if it has none.
    package var personalDigest: [UInt8]? { isPersonal ? Array(row.bytes.suffix(AuditLink.length)) : nil }

    /// Returns a list, as `append(list:publicFields:)` takes it, without its personal data.
    package static func publicPart(of list: UnsafeRawBufferPointer, publicFields count: Int) -> [UInt8] {
        var kept: [UInt8] = []
        let isList = AuditListScan.split(list, after: count, keep: { kept += $0 }, cut: { _, _ in })
        return isList ? kept : Array(list)
    }

    /// The link that chains this row to the rows before it: the hash of the given link and the row.
    package func link(after link: AuditLink, _ sha256: AuditFunctions.Digest) -> AuditLink {
        link.withBytes { row.set($0, at: 0) }
        return AuditLink { sha256(row.bytes, $0) }
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to part: AuditBytes) {
        part.append(UInt32(bytes.count))
        part.append(bytes)
    }

    private static func append(_ text: String, to part: AuditBytes) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: part) }
    }
}

/// A byte buffer that grows and is reused, so that most rows need no allocation.
///
/// Not thread-safe.
final class AuditBytes {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
    private(set) var count = 0

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func removeAll() { count = 0 }

    /// Keeps only this many bytes.
    func removeAll(after end: Int) { count = end }

    func append(_ bytes: UnsafeRawBufferPointer) {
        let place = room(for: bytes.count)
        if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
    }

    func append(_ byte: UInt8) { room(for: 1).storeBytes(of: byte, as: UInt8.self) }

    func append(_ number: UInt32) { room(for: 4).storeBytes(of: number.bigEndian, as: UInt32.self) }

    func append(_ number: Int64) { room(for: 8).storeBytes(of: number.bigEndian, as: Int64.self) }

    /// Overwrites four bytes with a number.
    func set(_ number: UInt32, at place: Int) { memory.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt32.self) }

    /// Overwrites bytes in place.
    func set(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        memory.baseAddress!.advanced(by: place).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }

    /// Adds this many bytes at the end, and returns where they begin, for the caller to fill them.
    func room(for more: Int) -> UnsafeMutableRawPointer {
        if memory.count - count < more { grow(by: more) }
        defer { count += more }
        return memory.baseAddress! + count
    }

    private func grow(by more: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + more), alignment: 8)
        larger.baseAddress!.copyMemory(from: memory.baseAddress!, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}
