import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Customer scan contract")
struct CustomerScanContractTests {
    private static let everywhere = Int64.min...Int64.max

    @Test("Each customer comes once, as a look-up finds them, however it is divided", arguments: HistoryStoreUnderTest.allCases)
    func all(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for number in 1...25 {
            _ = try await store.histories.apply(.sample([.sample("\(number)000", periods: 0..<2)], of: "c\(number)"))
        }
        _ = try await store.histories.apply(.sample([.sample("99000")], of: "other", app: "com.example.other"))
        // Of no customer, and of one with two names.
        _ = try await store.histories.apply(.sample([.sample("98000")]))
        _ = try await store.histories.join(alias: "anon", into: "c1", partition: "com.example.app", now: .testNow)
        #expect(try await store.customers.customerCount(partition: "com.example.app") == 25)
        #expect(try await store.customers.customerCount(partition: "com.example.none") == 0)
        for whole in [false, true] {
            for limit in [3, 25, 100] {
                var (names, places): ([String], ClosedRange<Int64>?) = ([], Self.everywhere)
                while let part = places {
                    let found = try await store.customers.customers(
                        partition: "com.example.app", in: part, limit: limit, whole: whole)
                    for each in found {
                        let query = HistoryQuery.sample(customer: each.customerID)
                        let expected =
                            whole
                            ? try await store.histories.wholeHistory(of: query) : try await store.histories.find(query)
                        #expect(HistoryDecoder().history(each.record) == expected)
                    }
                    names += found.map(\.customerID)
                    places = found.count < limit ? nil : (found.last!.place + 1)...part.upperBound
                }
                #expect(names.sorted() == (1...25).map { "c\($0)" }.sorted())
            }
        }
    }

    @Test("Two halves are all of it", arguments: HistoryStoreUnderTest.allCases)
    func halves(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for number in 1...40 { _ = try await store.histories.apply(.sample([.sample("\(number)000")], of: "c\(number)")) }
        var count = 0
        for part in [Int64.min...(-1), 0...Int64.max] {
            count += try await store.customers.customers(partition: "com.example.app", in: part, limit: 100, whole: false).count
        }
        #expect(count == 40)
    }
}
