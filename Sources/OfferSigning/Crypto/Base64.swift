import COpenSSLShim

/// Base64 of bytes, appended to text under construction.
public enum Base64 {
    /// Standard alphabet, with padding.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        withEncoded(bytes) { text.append(contentsOf: $0) }
    }

    /// Standard alphabet, with padding, for as long as `body` runs.
    static func withEncoded(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4 * ((bytes.count + 2) / 3) + 1) { scratch in
            let length = oss_base64(bytes, bytes.count, scratch.baseAddress)
            body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scratch)[..<length]))
        }
    }

    /// URL-safe alphabet, no padding (RFC 7515).
    public static func appendURLSafe(_ bytes: [UInt8], to text: inout [UInt8]) {
        let start = text.count
        append(bytes, to: &text)
        while text.count > start, text.last == UInt8(ascii: "=") { text.removeLast() }
        for index in start..<text.count {
            switch text[index] {
            case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
            default: break
            }
        }
    }

    /// Standard alphabet, with padding, as a string.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
