package import EligibilityRules

/// A customer's subscriptions, encoded in one row: the id, the time of the last change and the summary of each.
package struct CustomerRecord {
    private var writer = ByteWriter()

    /// Creates an empty record.
    package init() {}

    /// The encoded subscriptions; empty if there are none.
    package var bytes: [UInt8] { writer.bytes }

    /// Adds a subscription.
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
