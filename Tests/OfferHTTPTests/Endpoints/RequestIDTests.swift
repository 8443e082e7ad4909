import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Request ids")
struct RequestIDTests {
    @Test func `Ids are 16 hexadecimal digits, and none comes twice`() async {
        let ids = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { (0..<25_000).map { _ in RequestID.make() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 100_000)
        #expect(ids.allSatisfy { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) })
        // Neighbours differ in half of their 64 bits, within six standard errors of the mean of 100,000.
        let numbers = ids.compactMap { UInt64($0, radix: 16) }
        let changed = zip(numbers, numbers.dropFirst()).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        #expect(abs(Double(changed) / Double(numbers.count - 1) - 32) < 0.1)
    }
}
