import EligibilityRules

/// Makes histories of what was found; kept for many of them, since it keeps its memory. To be used by one thread at a time.
public final class HistoryDecoder {
    private let chains = ChainRecord.Decoder()

    /// Makes one that has read nothing yet.
    public init() {}

    /// The history that a record stands for.
    public func history(_ record: HistoryRecord) -> StoredHistory {
        switch record.content {
        case .history(let history): history
        case .customer(let times, let bytes): history(bytes, times)
        }
    }

    private func history(_ bytes: [UInt8], _ times: CustomerTimes) -> StoredHistory {
        var updatedAt: Instant?
        var found: [PurchaseChain] = []
        var isDamaged = false
        do {
            try bytes.withUnsafeBytes { bytes in
                try CustomerRecord.forEach(bytes) { originalID, changedAt, gist throws(ByteReader.Damaged) in
                    found.append(try chains.chain(originalID: originalID, bytes: gist))
                    if updatedAt.map({ changedAt > $0 }) ?? true { updatedAt = changedAt }
                }
            }
        } catch {
            isDamaged = true
        }
        return StoredHistory(
            history: PurchaseHistory(found),
            updatedAt: updatedAt ?? times.suppliedAt ?? times.completeAt,
            completeness: times.completeAt != nil ? .complete : times.suppliedAt != nil ? .partial : .none,
            isDamaged: isDamaged)
    }
}
