import FoundationEssentials

/// A signature that is kept while it is outstanding, so that it can come again unchanged.
///
/// As secret as an answer that is kept under an idempotency key.
struct KeptSignature: Equatable, Sendable {
    let keyID: String
    let nonce: UUID
    /// Milliseconds since 1970.
    let timestamp: Int64
    let token: SignedOffer.Token

    /// The length of the key's id and the id, the nonce, the timestamp, the form of the token, the token.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        bytes.append(UInt8(keyID.utf8.count))
        bytes += keyID.utf8
        withUnsafeBytes(of: nonce.uuid) { bytes += $0 }
        withUnsafeBytes(of: timestamp.bigEndian) { bytes += $0 }
        switch token {
        case .payload(let der):
            bytes.append(0)
            bytes += der
        case .jws(let compact):
            bytes.append(1)
            bytes += compact.utf8
        }
        return bytes
    }

    init(keyID: String, timestamp: Int64, _ signed: SignedOffer) {
        self.keyID = keyID
        self.timestamp = timestamp
        nonce = signed.nonce
        token = signed.token
    }

    /// Nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard let length = take(1)?.first, let id = take(Int(length)), let nonce = take(16), let timestamp = take(8),
            let form = take(1)?.first, form <= 1, !rest.isEmpty
        else { return nil }
        keyID = String(decoding: id, as: UTF8.self)
        self.nonce = UUID(uuid: nonce.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
        self.timestamp = Int64(bigEndian: timestamp.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
        token = form == 0 ? .payload(Array(rest)) : .jws(String(decoding: rest, as: UTF8.self))
    }

    /// As a result of the request that gets it again.
    var signed: SignedOffer {
        SignedOffer(nonce: nonce, token: token, digest: [], advice: nil, earlier: (keyID, timestamp))
    }
}
