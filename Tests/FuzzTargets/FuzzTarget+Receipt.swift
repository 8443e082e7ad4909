import AppStore
import EligibilityRules
import WireText

extension FuzzTarget {
    /// An answer of verifyReceipt, in either style.
    static func readReceipt(_ input: UnsafeBufferPointer<UInt8>) {
        guard let value = try? JSONParser.parse(input) else { return }
        if let response = ReceiptResponse(value, from: .production) { Oracle.check(response.history) }
    }
}
