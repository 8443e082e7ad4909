import AppStore
import EligibilityRules
import FuzzDriver
import WireText

// An answer of verifyReceipt, in either style.
FuzzDriver.main { start, count in
    guard let value = try? JSONParser.parse(UnsafeBufferPointer(start: start, count: count)) else { return 0 }
    if let response = ReceiptResponse(value, from: .production) { Oracle.check(response.history) }
    return 0
}
