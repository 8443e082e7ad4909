extension CustomerRecord {
    /// The subscriptions that the bytes stand for; what cannot be read is one damaged row, the last.
    static func rows(of customerID: String, bytes: UnsafeRawBufferPointer, _ decoder: ChainRecord.Decoder) -> [HistoryRow] {
        var rows: [HistoryRow] = []
        do throws(ByteReader.Damaged) {
            try forEach(bytes) { originalID, updatedAt, gist in
                rows.append(HistoryRow(originalID, of: customerID, updatedAt: updatedAt, bytes: gist, decoder))
            }
        } catch {
            rows.append(HistoryRow(damagedOf: customerID))
        }
        return rows
    }
}
