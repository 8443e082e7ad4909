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

    /// Who may have it again, and it: the length of the key's id and the id, the nonce, the timestamp, the form of the token, the token.
    ///
    /// Only to a request that is the same in all that is signed does it come again.
    ///
    /// - Returns: the bytes, and how many of them tell who.
    func bytes(for request: SignatureRequest, _ caller: Caller) -> (bytes: [UInt8], keeperLength: Int) {
        let form = request.form == .payload ? "payload" : "jws"
        let transactionID = request.transactionID ?? ""
        // No UTF-8 has the byte that ends each part: that so many of them come keeps one keeper from beginning another.
        let keeperLength =
            caller.id.utf8.count + form.utf8.count + request.applicationUsername.utf8.count + transactionID.utf8.count + 4
        let length = keeperLength + 1 + keyID.utf8.count + 16 + 8 + 1 + token.length
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, end in
            func append(_ bytes: UnsafeRawBufferPointer) {
                guard let start = bytes.baseAddress else { return }
                precondition(buffer.count - end >= bytes.count)
                UnsafeMutableRawPointer(buffer.baseAddress! + end).copyMemory(from: start, byteCount: bytes.count)
                end += bytes.count
            }
            func append(_ text: String) {
                if text.utf8.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
                    Array(text.utf8).withUnsafeBytes { append($0) }
                }
            }
            func append(byte: UInt8) {
                buffer[end] = byte
                end += 1
            }
            func append(keeper part: String) {
                append(part)
                append(byte: 0xFF)
            }
            append(keeper: caller.id)
            append(keeper: form)
            append(keeper: request.applicationUsername)
            append(keeper: transactionID)
            append(byte: UInt8(keyID.utf8.count))
            append(keyID)
            withUnsafeBytes(of: nonce.uuid) { append($0) }
            withUnsafeBytes(of: timestamp.bigEndian) { append($0) }
            switch token {
            case .payload(let der):
                append(byte: 0)
                der.withUnsafeBytes { append($0) }
            case .jws(let compact):
                append(byte: 1)
                append(compact)
            }
        }
        return (bytes, keeperLength)
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

extension SignedOffer.Token {
    /// In bytes.
    fileprivate var length: Int {
        switch self {
        case .payload(let der): der.count
        case .jws(let compact): compact.utf8.count
        }
    }
}
