/// The SHA-256 of a row and all rows before it in its chain.
///
/// Kept as four words, which avoids an allocation for each row.
public struct AuditLink: Equatable, Hashable, Sendable {
    /// Length in bytes.
    package static let length = 32

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Calls `write` to fill 32 bytes.
    package init(_ write: (UnsafeMutableRawPointer) -> Void) {
        withUnsafeMutableBytes(of: &words) { write($0.baseAddress!) }
    }

    /// Returns nil unless there are 32 bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == AuditLink.length else { return nil }
        self.init { $0.copyMemory(from: bytes.baseAddress!, byteCount: AuditLink.length) }
    }

    /// Returns nil unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard let link = bytes.withUnsafeBytes({ AuditLink($0) }) else { return nil }
        self = link
    }

    /// The 32 bytes, as stored.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// Calls `body` with the bytes in place.
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        withUnsafeBytes(of: words) { body($0) }
    }

    /// Whether the bytes are equal.
    public static func == (left: AuditLink, right: AuditLink) -> Bool { left.words == right.words }

    /// Hashes the first eight bytes only: they are practically random.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
