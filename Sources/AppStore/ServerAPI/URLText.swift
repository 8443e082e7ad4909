/// Makes parts of URLs from texts.
enum URLText {
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    /// Percent-encodes every character but letters, digits, `-`, `.`, `_` and `~`, which RFC 3986 calls unreserved.
    static func encoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if unreserved.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns a transaction id for use in a path. Throws `notFound` if the text cannot be a transaction id, for example if it
    /// has a slash.
    static func transactionID(_ id: String) throws(AppStoreError) -> String {
        let isPlain = id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
        guard isPlain, (1...64).contains(id.utf8.count) else {
            throw AppStoreError(.notFound, "transaction ids consist of digits and letters; nothing was sent")
        }
        return id
    }
}
