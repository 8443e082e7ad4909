import WireText

/// A receipt as the bytes that are sealed: its Base64 undone, compressed.
enum ReceiptForm {
    /// Characters of the longest receipt that is kept. One grows by some 200 bytes a period.
    static let maxLength = 2 << 20

    private static let text: UInt8 = 0
    private static let decoded: UInt8 = 1

    /// Nil for an empty one, and for one that is too long.
    static func pack(_ receipt: String) -> [UInt8]? {
        guard !receipt.isEmpty, receipt.utf8.count <= maxLength else { return nil }
        // What is not spelled as we would spell it must come out as it went in.
        let bytes = Base64.decode(receipt.utf8).flatMap { Base64.encode($0) == receipt ? $0 : nil }
        let compressed = Deflate.compress(bytes ?? Array(receipt.utf8))
        return compressed.isEmpty ? nil : [bytes == nil ? text : decoded] + compressed
    }

    /// Nil if it was not packed by `pack`.
    static func unpack(_ bytes: [UInt8]) -> String? {
        guard let form = bytes.first, let content = Deflate.expand(bytes.dropFirst(), maxLength: maxLength) else { return nil }
        switch form {
        case text: return String(decoding: content, as: UTF8.self)
        case decoded: return Base64.encode(content)
        default: return nil
        }
    }
}
