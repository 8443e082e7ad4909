extension AuditFunctions {
    /// SHA-256 of some bytes, as events tell it.
    func text(of bytes: [UInt8]) -> String { "sha256:" + Hexadecimal.encode(link(of: bytes).bytes) }

    /// The first half of the SHA-256 over a row, as events tell it.
    func text(ofRow values: [String?]) -> String {
        let digest = link(of: Self.bytes(ofRow: values)).bytes
        return "row sha256:\(Hexadecimal.encode(Array(digest.prefix(digest.count / 2))))…"
    }

    /// The values of a row, each with its length. Other values are other bytes.
    static func bytes(ofRow values: [String?]) -> [UInt8] {
        Array(values.map { value in value.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined().utf8)
    }
}
