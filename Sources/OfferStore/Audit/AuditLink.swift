/// A SHA-256: of a row and all rows before it in its chain.
///
/// Four words, so that none is allocated for a row.
public struct AuditLink: Equatable, Hashable, Sendable {
    /// Bytes of it.
    package static let length = 32

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// What `write` puts into 32 bytes.
    package init(_ write: (UnsafeMutableRawPointer) -> Void) {
        withUnsafeMutableBytes(of: &words) { write($0.baseAddress!) }
    }

    /// Nil unless there are 32 bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == AuditLink.length else { return nil }
        self.init { $0.copyMemory(from: bytes.baseAddress!, byteCount: AuditLink.length) }
    }

    /// Nil unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard let link = bytes.withUnsafeBytes({ AuditLink($0) }) else { return nil }
        self = link
    }

    /// As they are kept.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// The bytes in place, for as long as `body` runs.
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        withUnsafeBytes(of: words) { body($0) }
    }

    /// The same bytes.
    public static func == (left: AuditLink, right: AuditLink) -> Bool { left.words == right.words }

    /// Of the first bytes: they are as good as random.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
