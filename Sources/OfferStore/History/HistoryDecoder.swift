package import EligibilityRules

/// Decodes histories. It reuses its memory, so use one decoder for many histories. Not thread-safe.
public final class HistoryDecoder {
    private let chains = ChainRecord.Decoder()

    /// Creates a decoder.
    public init() {}

    /// Decodes the history in a record.
    public func history(_ record: HistoryRecord) -> StoredHistory {
        switch record.content {
        case .history(let history): history
        case .customer(let times, let name, let bytes, let account): history(name, bytes, account, times)
        }
    }

    private func history(_ name: String, _ bytes: [UInt8], _ account: [UInt8], _ times: CustomerTimes) -> StoredHistory {
        var updatedAt: Instant?
        var found: [PurchaseChain] = []
        var others: [PurchaseChain] = []
        var isDamaged = false
        do {
            try read(bytes) { chain, changedAt in
                found.append(chain)
                if updatedAt.map({ changedAt > $0 }) ?? true { updatedAt = changedAt }
            }
            if !account.isEmpty { try read(account) { chain, _ in others.append(chain) } }
        } catch {
            isDamaged = true
        }
        updatedAt = updatedAt ?? times.suppliedAt ?? times.completeAt
        return StoredHistory(
            history: PurchaseHistory(found),
            accountChains: others.isEmpty ? [] : PurchaseHistory(others).chains,
            customerID: updatedAt == nil ? nil : name,
            updatedAt: updatedAt,
            completeness: times.completeAt != nil ? .complete : times.suppliedAt != nil ? .partial : .none,
            isDamaged: isDamaged)
    }

    private func read(_ bytes: [UInt8], _ body: (PurchaseChain, _ changedAt: Instant) -> Void) throws {
        try bytes.withUnsafeBytes { bytes in
            try CustomerRecord.forEach(bytes) { originalID, changedAt, summary throws(ByteReader.Damaged) in
                body(try chains.chain(originalID: originalID, bytes: summary), changedAt)
            }
        }
    }
}

/// A customer's subscriptions, encoded in one row: the id, the time of the last change and the summary of each.
package struct CustomerRecord {
    private var writer = ByteWriter()

    package init() {}

    /// The encoded subscriptions; empty if there are none.
    package var bytes: [UInt8] { writer.bytes }

    package mutating func append(_ originalID: ChainRecord.OriginalID, updatedAt: Instant, summary: UnsafeRawBufferPointer) {
        if let number = originalID.number, number < .max {
            writer.append(number + 1)
        } else {
            writer.append(0 as UInt64)
            writer.append(originalID.text)
        }
        writer.append(signed: updatedAt.milliseconds)
        writer.append(summary)
    }

    /// Calls `body` for each encoded subscription. Throws if the bytes are damaged.
    package static func forEach(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (ChainRecord.OriginalID, _ updatedAt: Instant, _ summary: UnsafeRawBufferPointer) throws(ByteReader.Damaged) ->
            Void
    ) throws(ByteReader.Damaged) {
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let number = try reader.number()
            let originalID = number == 0 ? ChainRecord.OriginalID(try reader.text()) : ChainRecord.OriginalID(number - 1)
            try body(originalID, Instant(milliseconds: try reader.signed()), try reader.section())
        }
    }
}
