import EligibilityRules
import FuzzDriver

@testable import OfferStore

// A stored record, damaged or not.
FuzzDriver.main { start, count in
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    if let chain = try? ChainRecord.chain(originalID: "1", bytes: bytes) { Oracle.check(chain) }
    // The same bytes as a customer's row, whose gists are such records.
    _ = HistoryDecoder().history(HistoryRecord(.customer(CustomerTimes(), bytes: Array(bytes))))
    return 0
}
