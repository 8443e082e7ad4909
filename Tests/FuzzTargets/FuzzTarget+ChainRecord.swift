@testable import OfferStore

extension FuzzTarget {
    /// A stored record, damaged or not.
    static func readChainRecord(_ input: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(input)
        if let chain = try? ChainRecord.chain(originalID: "1", bytes: bytes) { Oracle.check(chain) }
        // The same bytes as a customer's row, whose summaries are such records.
        let record = HistoryRecord(.customer(CustomerTimes(), name: "u", bytes: Array(bytes), account: Array(bytes)))
        _ = HistoryDecoder().history(record)
    }
}
