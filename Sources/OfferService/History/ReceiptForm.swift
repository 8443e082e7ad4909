import WireText

/// A receipt as the bytes that are sealed: decoded from Base64, and compressed.
enum ReceiptForm {
    /// The maximum number of characters of a receipt that is kept, as of one that is taken. It grows by some 400 bytes a period.
    static let maxLength = 16 << 20

    private static let text: UInt8 = 0
    private static let decoded: UInt8 = 1

    /// Nil for a receipt that is empty or too long.
    static func pack(_ receipt: String) -> [UInt8]? {
        guard !receipt.isEmpty, receipt.utf8.count <= maxLength else { return nil }
        // A receipt in another spelling of Base64, which the decoder refuses, is packed as text: it comes out as it went in.
        let bytes = Base64.decode(receipt.utf8)
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
