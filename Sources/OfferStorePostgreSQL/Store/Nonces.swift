import FoundationEssentials
import OfferStore

extension UUID {
    /// The 16 bytes.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    /// The series of a nonce, as stored.
    var seriesNumber: Int64 { Int64(bitPattern: series) }
}

/// The concatenated nonces of a row.
enum NonceBytes {
    /// The series of the nonces, each once, in order.
    static func series(of nonces: [UInt8]) -> [Int64] {
        var all: [Int64] = []
        nonces.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count - LedgerSignature.nonceLength + 1, by: LedgerSignature.nonceLength) {
                let series = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
                if !all.contains(series) { all.append(series) }
            }
        }
        return all
    }
}

extension Row {
    /// The value of a `bytea` of 16 bytes.
    func nonce(_ column: Int32) -> UUID { withBytes(column) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } }
}
