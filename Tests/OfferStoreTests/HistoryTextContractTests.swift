import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: ids and names")
struct HistoryTextContractTests {
    /// Ids that differ, though some differ only in how a number or a character is written.
    private static let ids: [ExactText] = [
        "7", "07", "007", "+7", "-7", " 7", "7 ", "7.0", "0x7", "7e0", "0", "-0", "00", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "00018446744073709551615",
        "99999999999999999999999999", "-9223372036854775808", "\u{FF17}", "\u{0667}", "seven", "Seven", "\u{E9}", "e\u{301}",
        "K", "\u{212A}", "👩‍👩‍👧‍👦", "\u{202E}abc", "'; DROP TABLE app; --", "a%", "a_", "null",
    ]

    @Test("Ids that are no numbers, or no usual ones, are kept and told apart", arguments: HistoryStoreUnderTest.allCases)
    func originalIDs(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.applyAll(Self.ids.map { .sample([.sample($0.string)], of: "of " + $0.string) })
        for id in Self.ids {
            #expect(try await store.histories.ids(.sample(transaction: id.string)) == [id], "\(id)")
            #expect(try await store.histories.ids(.sample(customer: "of " + id.string)) == [id], "\(id)")
        }
    }

    @Test("So are the ids of other transactions", arguments: HistoryStoreUnderTest.allCases)
    func otherIDs(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        func chain(_ number: Int, _ id: ExactText) -> PurchaseChain {
            let first = PurchaseChain.sample("original \(number)")
            return first.merged(
                with: PurchaseChain(
                    originalID: first.originalID,
                    transactions: [PurchaseTransaction(id: id.string, productID: "p", purchasedAt: .hours(1))]))
        }
        _ = try await store.histories.applyAll(Self.ids.enumerated().map { .sample([chain($0, $1)]) })
        for (number, id) in Self.ids.enumerated() {
            let found = try await store.histories.wholeHistory(of: .sample(transaction: id.string)).history.chains
            #expect(found.map(\.originalID) == ["original \(number)"], "\(id)")
            #expect(found.first?.transactions.map { ExactText($0.id) }.last == id)
        }
    }

    @Test("Transactions that Swift takes for one are kept apart", arguments: HistoryStoreUnderTest.allCases)
    func equivalentIDs(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for id in ["\u{E9}", "e\u{301}", "\u{212A}", "K"] {
            let transaction = PurchaseTransaction(id: id, productID: "p", purchasedAt: .testNow)
            let chain = PurchaseChain(originalID: "K", transactions: [transaction])
            _ = try await store.histories.apply(.sample([.sample("K"), chain]))
        }
        for id in ["\u{E9}", "e\u{301}", "\u{212A}", "K"] {
            #expect(try await store.histories.ids(.sample(transaction: id)) == ["K"], "\(ExactText(id))")
        }
    }

    @Test("Customers and tokens are kept apart byte by byte", arguments: HistoryStoreUnderTest.allCases)
    func customers(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let names = Self.ids + [ExactText(String(repeating: "長い名前", count: 500)), "", "kunde-ä", "kunde-a\u{308}"]
        _ = try await histories.applyAll(
            names.enumerated().map { .sample([.sample("\($0)", token: $1.string)], of: $1.string) })
        for (number, name) in names.enumerated() {
            let own: [ExactText] = [ExactText("\(number)")]
            #expect(try await histories.ids(.sample(customer: name.string)) == own, "\(name)")
            #expect(try await histories.ids(.sample(token: name.string)) == own, "\(name)")
        }
    }

    @Test("A customer whose name is only canonically equivalent is another one", arguments: HistoryStoreUnderTest.allCases)
    func equivalentCustomers(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        _ = try await histories.apply(.sample([.sample("1", token: "t")], of: composed))
        #expect(try await histories.find(.sample(customer: decomposed, token: "t")) == .unknown)
        #expect(try await histories.find(.sample(customer: decomposed, transaction: "1")).isOfAnotherCustomer)
        let news = HistoryChange.sample([.sample("1", periods: 0..<2)], of: decomposed)
        #expect(try await histories.apply(news) == .merged([.boundToAnotherCustomer]))
        let outcome = try await histories.bind(
            originalTransactionID: "1", to: decomposed, partition: "com.example.app", now: .testNow)
        #expect(outcome == .boundToAnotherCustomer)
    }

    @Test("Of two spellings of one text the same stays, whichever came first", arguments: HistoryStoreUnderTest.allCases)
    func equivalentTexts(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for (app, spellings) in [("1" as AppPartition, ["\u{E9}", "e\u{301}"]), ("2", ["e\u{301}", "\u{E9}"])] {
            for text in spellings {
                let chain = PurchaseChain(originalID: "1", groupID: text)
                _ = try await store.histories.apply(.sample([.sample("1").with(group: nil), chain], app: app))
            }
            let found = try await store.histories.wholeHistory(of: .sample(transaction: "1", app: app))
            #expect(found.history.chains.first?.groupID.map { ExactText($0) } == "\u{E9}")
        }
    }

    @Test("Apps are kept apart", arguments: HistoryStoreUnderTest.allCases)
    func apps(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let apps: [AppPartition] = ["com.example.app", "com.example.App", "com.example.app.", "com.example"]
        for (number, app) in apps.enumerated() {
            let chain = PurchaseChain.sample("1", periods: 0..<number + 1, token: "t")
            #expect(try await histories.apply(.sample([chain], of: "customer \(number % 2)", app: app)) == .merged([.changed]))
        }
        for (number, app) in apps.enumerated() {
            for query in [
                HistoryQuery.sample(customer: "customer \(number % 2)", app: app), .sample(token: "t", app: app),
                .sample(transaction: "1", app: app),
            ] {
                let chains = try await histories.wholeHistory(of: query).history.chains
                #expect(chains == [.sample("1", periods: 0..<number + 1, token: "t")])
            }
            #expect(try await histories.find(.sample(customer: "customer \(1 - number % 2)", app: app)) == .unknown)
        }
    }
}

extension PurchaseChain {
    /// The same chain in another group.
    fileprivate func with(group groupID: String?) -> PurchaseChain {
        var copy = self
        copy.groupID = groupID
        return copy
    }
}
