/// Writes a row as the bytes that are hashed, field by field: lengths before texts, so that no two rows have the same.
///
/// What is personal goes in as one keyed digest, so that it can be erased later and the digest kept in its place. Of one thread at a
/// time.
package final class AuditRowEncoder {
    private static let absent = UInt32.max
    private static let address = UInt32.max - 1
    private static let anonymous: UInt8 = 0
    private static let keyed: UInt8 = 1

    private let row = AuditBytes()
    private let personal = AuditBytes()
    private var isPersonal = false

    package init() {}

    /// Begins a row, with room for the link before it.
    package func begin(_ table: AuditTable, id: Int64) {
        row.removeAll()
        personal.removeAll()
        isPersonal = false
        _ = row.room(for: AuditLink.length)
        row.append(table.code)
        row.append(id)
    }

    package func append(_ number: Int64) { row.append(number) }

    /// A text's UTF-8, or a blob.
    package func append(_ bytes: UnsafeRawBufferPointer) { Self.append(bytes, to: row) }

    package func append(_ text: String) { Self.append(text, to: row) }

    package func append(_ text: String?) {
        if let text { append(text) } else { row.append(Self.absent) }
    }

    /// A text's UTF-8; nil for NULL.
    package func append(optional bytes: UnsafeRawBufferPointer?) {
        if let bytes { append(bytes) } else { row.append(Self.absent) }
    }

    package func appendPersonal(_ text: String?) {
        guard let text else { return personal.append(Self.absent) }
        isPersonal = true
        Self.append(text, to: personal)
    }

    /// A text's UTF-8; nil for NULL.
    package func appendPersonal(optional bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return personal.append(Self.absent) }
        isPersonal = true
        Self.append(bytes, to: personal)
    }

    /// A list of lists of texts, `[["a","b"],…]`: what stands in a list behind the first `count` is personal.
    ///
    /// Anything else goes in as it is.
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

    /// The address of a signature or refusal, behind all else that is personal. Without one the row is as rows were before they had one.
    package func append(address text: String?) {
        guard var text else { return }
        text.withUTF8 { append(address: UnsafeRawBufferPointer($0)) }
    }

    /// An address's UTF-8; nil for NULL.
    package func append(address bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return }
        isPersonal = true
        personal.append(Self.address)
        Self.append(bytes, to: personal)
    }

    /// Ends the row with what is personal in it, as its keyed digest.
    package func finish(_ keyed: AuditFunctions.Digest) {
        guard isPersonal else { return row.append(Self.anonymous) }
        row.append(Self.keyed)
        keyed(personal.bytes, row.room(for: AuditLink.length))
    }

    /// Ends the row with the digest that was kept when what is personal was erased. False if not all of it was.
    package func finish(erased digest: UnsafeRawBufferPointer) -> Bool {
        row.append(Self.keyed)
        row.append(digest)
        return !isPersonal && digest.count == AuditLink.length
    }

    /// Of a row that was ended with what is personal in it: its keyed digest; nil if nothing is.
    package var personalDigest: [UInt8]? { isPersonal ? Array(row.bytes.suffix(AuditLink.length)) : nil }

    /// A list as `append(list:publicFields:)` takes it, without what is personal in it.
    package static func publicPart(of list: UnsafeRawBufferPointer, publicFields count: Int) -> [UInt8] {
        var kept: [UInt8] = []
        let isList = AuditListScan.split(list, after: count, keep: { kept += $0 }, cut: { _, _ in })
        return isList ? kept : Array(list)
    }

    /// The link of the row behind another.
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
