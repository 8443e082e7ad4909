import OfferStore
import Testing
import WireText

@testable import OfferService

@Suite("Receipts at rest")
struct ReceiptFormTests {
    @Test(
        "A receipt comes out as it went in, however it is spelled",
        arguments: ["QUJD", "QUJDRA==", "QUJDRA", "QUJDRB==", "not Base64 at all", String(repeating: "QUJD", count: 5000)])
    func roundTrip(receipt: String) throws {
        let packed = try #require(ReceiptForm.pack(receipt))
        #expect(ReceiptForm.unpack(packed) == receipt)
        if receipt.utf8.count > 1000 { #expect(packed.count < receipt.utf8.count / 10) }
    }

    @Test("An empty one is none, nor one that is too long, nor what was not packed")
    func none() {
        #expect(ReceiptForm.pack("") == nil)
        #expect(ReceiptForm.pack(String(repeating: "A", count: ReceiptForm.maxLength + 1)) == nil)
        #expect(ReceiptForm.unpack([]) == nil && ReceiptForm.unpack([0]) == nil && ReceiptForm.unpack([1, 2, 3]) == nil)
        #expect(ReceiptForm.unpack([2] + Deflate.compress([1])) == nil)
    }

    @Test("A pause doubles up to six hours, a quarter more or less, the same each time and another for each receipt")
    func backOff() {
        let minute: Int64 = 60_000
        for failures in 1...300 {
            let middle = min(360 * minute, minute << Int64(min(failures, 10) - 1))
            let pauses = (0..<100).map { ReceiptBackOff.pause(after: failures, of: .subscription("\($0)")) }
            #expect(pauses.allSatisfy { $0 >= middle * 3 / 4 && $0 <= middle * 5 / 4 })
            #expect(Set(pauses).count > 50)
            #expect(ReceiptBackOff.pause(after: failures, of: .subscription("7")) == pauses[7])
        }
        #expect(ReceiptBackOff.pause(after: 3, of: .unverified([1])) != ReceiptBackOff.pause(after: 3, of: .unverified([2])))
    }
}
