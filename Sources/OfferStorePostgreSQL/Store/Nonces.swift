import FoundationEssentials
import OfferStore

extension UUID {
    /// Its 16 bytes.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    /// The series of a nonce, as tables have it.
    var seriesNumber: Int64 { Int64(bitPattern: series) }
}

/// The nonces of a row, one after the other.
enum NonceBytes {
    /// Their series, each once, in their order.
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
    /// Of a `bytea` of 16 bytes.
    func nonce(_ column: Int32) -> UUID { withBytes(column) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } }
}
