import FoundationEssentials
import OfferStore

extension UUID {
    /// The series of a nonce as stored.
    var seriesBytes: Data { withUnsafeBytes(of: series.bigEndian) { Data($0) } }

    /// The 16 bytes.
    var databaseBytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    /// Returns nil unless there are 16 bytes.
    init?(databaseBytes bytes: Data) {
        guard bytes.count == LedgerSignature.nonceLength else { return nil }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
