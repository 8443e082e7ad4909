import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: look-ups")
struct HistoryLookupContractTests {
    @Test("A subscription is found by customer, token, original and other transaction", arguments: HistoryStoreUnderTest.allCases)
    func ways(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1000", periods: 0..<3, token: "t")
        #expect(try await store.histories.apply(.sample([chain], of: "ada")) == .merged([.changed]))
        for query in [
            HistoryQuery.sample(customer: "ada"), .sample(token: "t"), .sample(transaction: "1000"),
            .sample(transaction: "100002"), .sample(customer: "ada", token: "t", transaction: "100001"),
        ] {
            let whole = try await store.histories.wholeHistory(of: query)
            let expected = StoredHistory(history: PurchaseHistory([chain]), customerID: "ada", updatedAt: .testNow)
            #expect(whole == expected, "\(query)")
            let stored = try await store.histories.find(query)
            #expect(stored.history.chains.map(\.originalID) == ["1000"], "\(query)")
            #expect(stored.updatedAt == .testNow && !stored.isOfAnotherCustomer)
            #expect(stored.customerID == "ada", "\(query)")
            let (alone, all) = (try await store.histories.find(query), try await store.histories.find(query.whole))
            #expect((alone, all) == (stored, whole), "\(query)")
        }
        for query in [
            HistoryQuery.sample(customer: "bob"), .sample(token: "ada"), .sample(transaction: "1001"), .sample(),
            .sample(transaction: "100003"), .sample(customer: "ada", app: "com.example.other"),
        ] {
            #expect(try await store.histories.find(query) == .unknown, "\(query)")
            #expect(try await store.histories.wholeHistory(of: query) == .unknown, "\(query)")
        }
    }

    @Test("What an Apple account has bought is known to all customers who share it", arguments: HistoryStoreUnderTest.allCases)
    func account(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        func chain(_ id: String, of account: String?) -> PurchaseChain {
            var chain = PurchaseChain.sample(id)
            chain.appTransactionID = account
            return chain
        }
        func ids(_ chains: [PurchaseChain]) -> [String] { chains.map(\.originalID).sorted() }
        _ = try await histories.apply(.sample([chain("1", of: "70")], of: "ada"))
        _ = try await histories.apply(.sample([chain("2", of: "70"), chain("3", of: "71")], of: "bob"))
        _ = try await histories.apply(.sample([chain("4", of: "70"), chain("5", of: nil)]))
        for (query, own, others) in [
            (HistoryQuery.sample(customer: "ada"), ["1"], ["2", "4"]), (.sample(customer: "bob"), ["2", "3"], ["1", "4"]),
            (.sample(transaction: "1"), ["1", "4"], ["2"]), (.sample(transaction: "5"), ["5"], []),
            // A caller who names the account says that it is theirs: unbound purchases are, too.
            (.sample(customer: "ada", account: "70"), ["1", "4"], ["2"]),
            (.sample(customer: "new", account: "70"), ["4"], ["1", "2"]),
            (.sample(customer: "new", transaction: "70"), ["4"], ["1", "2"]), (.sample(account: "71"), ["3"], []),
            (.sample(account: "70"), ["1", "2", "4"], []), (.sample(transaction: "70"), ["1", "2", "4"], []),
            (.sample(account: "72"), [], []),
        ] {
            let found = try await histories.find(query)
            #expect(ids(found.history.chains) == own, "\(query)")
            #expect(ids(found.accountChains) == others, "\(query)")
            let whole = try await histories.wholeHistory(of: query)
            #expect(ids(whole.accountChains) == others, "\(query)")
        }
        let named = try await histories.find(.sample(customer: "ada", account: "70")).namedAccount
        #expect(
            Dictionary(uniqueKeysWithValues: named.map { ($0.chain.originalID, $0.owner) })
                == ["1": .same, "2": .another, "4": .nobody])
        // What is bound or told later is seen as well.
        _ = try await histories.bind(originalTransactionID: "4", to: "cleo", partition: "com.example.app", now: .testNow)
        #expect(ids(try await histories.find(.sample(customer: "cleo")).accountChains) == ["1", "2"])
        #expect(ids(try await histories.find(.sample(customer: "ada")).accountChains) == ["2", "4"])
        _ = try await histories.apply(.sample([chain("5", of: "71")]))
        #expect(ids(try await histories.find(.sample(customer: "bob")).accountChains) == ["1", "4", "5"])
    }

    @Test("Many questions get their answers in order", arguments: HistoryStoreUnderTest.allCases)
    func batch(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let apps: [AppPartition] = ["com.example.app", "com.example.other"]
        _ = try await store.histories.applyAll(
            (0..<50).map { .sample([.sample("\($0)")], of: "customer \($0)", app: apps[$0 % 2]) })
        let queries = (0..<60).reversed().map { HistoryQuery.sample(customer: "customer \($0)", app: apps[$0 % 2]) }
        let found = try await withCheckedContinuation { continuation in
            store.histories.find(queries) { continuation.resume(returning: $0) }
        }.get()
        let decoder = HistoryDecoder()
        #expect(
            found.map { decoder.history($0).history.chains.first?.originalID }
                == (0..<60).reversed().map { $0 < 50 ? "\($0)" : nil })
    }

    @Test("What belongs to one customer is found together", arguments: HistoryStoreUnderTest.allCases)
    func union(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.apply(.sample([.sample("10"), .sample("11", token: "t")], of: "ada"))
        _ = try await histories.apply(.sample([.sample("12", token: "t"), .sample("13", periods: 0..<2)]))
        _ = try await histories.apply(.sample([.sample("14", token: "u"), .sample("15")], of: "bob"))
        #expect(try await histories.ids(.sample(customer: "ada")) == ["10", "11"])
        #expect(try await histories.ids(.sample(token: "t")) == ["11", "12"])
        #expect(try await histories.ids(.sample(customer: "ada", token: "t")) == ["10", "11", "12"])
        #expect(try await histories.ids(.sample(customer: "ada", transaction: "1301")) == ["10", "11", "13"])
        #expect(try await histories.ids(.sample(customer: "ada", token: "t", transaction: "13")) == ["10", "11", "12", "13"])
        // A transaction leads to its customer, and to the account token that came with it.
        #expect(try await histories.ids(.sample(transaction: "10")) == ["10", "11"])
        #expect(try await histories.ids(.sample(transaction: "11")) == ["10", "11", "12"])
        #expect(try await histories.ids(.sample(transaction: "12")) == ["11", "12"])
    }

    @Test("What is bound to another customer is not shown", arguments: HistoryStoreUnderTest.allCases)
    func otherCustomers(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        // One device, two customers of the app.
        _ = try await histories.apply(.sample([.sample("10", periods: 0..<2, token: "t")], of: "ada", at: .hours(1)))
        _ = try await histories.apply(.sample([.sample("20", token: "t")], of: "bob", at: .hours(2)))
        _ = try await histories.apply(.sample([.sample("30", token: "t")], at: .hours(3)))
        for id in ["10", "1001"] {
            let stored = try await histories.find(.sample(customer: "bob", transaction: id))
            #expect(stored.isOfAnotherCustomer)
            #expect(stored.history.chains.map(\.originalID) == ["20"])
            #expect(stored.updatedAt == .hours(2))
            let whole = try await histories.wholeHistory(of: .sample(customer: "bob", transaction: id))
            #expect(whole.isOfAnotherCustomer && whole.history.chains.map(\.originalID) == ["20"])
        }
        #expect(try await histories.ids(.sample(customer: "bob", token: "t")) == ["20", "30"])
        #expect(try await histories.ids(.sample(customer: "bob", token: "t", transaction: "10")) == ["20", "30"])
        let stranger = try await histories.find(.sample(customer: "eve", transaction: "10"))
        #expect(stranger == StoredHistory(history: PurchaseHistory(), updatedAt: nil, isOfAnotherCustomer: true))
        #expect(try await !histories.find(.sample(customer: "eve", transaction: "30")).isOfAnotherCustomer)
    }

    @Test("Other purchases are shown only when everything is asked for", arguments: HistoryStoreUnderTest.allCases)
    func otherPurchases(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.apply(.sample([.sample("1", token: "t"), .consumable("2", token: "t")], of: "ada"))
        for query in [
            HistoryQuery.sample(customer: "ada"), .sample(token: "t"), .sample(transaction: "1"), .sample(transaction: "2"),
            .sample(customer: "ada", transaction: "2"),
        ] {
            #expect(try await histories.ids(query) == ["1"], "\(query)")
            let whole = try await histories.wholeHistory(of: query)
            #expect(whole.history.chains == [.sample("1", token: "t"), .consumable("2", token: "t")], "\(query)")
        }
    }

    @Test("A history without subscriptions counts as supplied, be it empty", arguments: HistoryStoreUnderTest.allCases)
    func emptyHistory(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        #expect(try await histories.apply(.sample([], of: "ada")) == .merged([]))
        #expect(try await histories.apply(.sample([.consumable("2")], of: "bob", at: .hours(1))) == .merged([.changed]))
        #expect(try await histories.apply(.sample([])) == .merged([]))
        #expect(
            try await histories.find(.sample(customer: "ada"))
                == StoredHistory(history: PurchaseHistory(), customerID: "ada", updatedAt: .testNow, completeness: .partial))
        #expect(
            try await histories.find(.sample(customer: "bob"))
                == StoredHistory(history: PurchaseHistory(), customerID: "bob", updatedAt: .hours(1), completeness: .partial))
        #expect(try await histories.find(.sample(transaction: "2")).updatedAt == .hours(1))
        #expect(try await histories.find(.sample(customer: "ada", app: "com.example.other")) == .unknown)
        _ = try await histories.apply(.sample([], of: "ada", at: .hours(5)))
        #expect(try await histories.find(.sample(customer: "ada")).updatedAt == .hours(5))
    }

    @Test("What says nothing of purchases does not pass for a history without any", arguments: HistoryStoreUnderTest.allCases)
    func nothingSupplied(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let renewal = Stamped(RenewalState(willRenew: true), Stamp(asOf: .testNow, source: .signedData))
        _ = try await histories.apply(.sample([PurchaseChain(originalID: "1", outlook: .init(renewal: renewal))], of: "ada"))
        _ = try await histories.bind(originalTransactionID: "2", to: "bob", partition: "com.example.app", now: .testNow)
        _ = try await histories.apply(.sample([.consumable("3")], of: "cal"))
        #expect(try await histories.apply(.sample([.consumable("3")], of: "eve")) == .merged([.boundToAnotherCustomer]))
        for query in [
            HistoryQuery.sample(customer: "ada"), .sample(transaction: "1"), .sample(customer: "ada", transaction: "1"),
            .sample(customer: "bob"), .sample(transaction: "2"), .sample(customer: "bob", transaction: "2"),
            .sample(customer: "eve"),
        ] {
            #expect(try await !histories.find(query).isSupplied, "\(query)")
        }
        // Nor is it lost: it shows with the first purchase.
        _ = try await histories.apply(.sample([.sample("1")]))
        #expect(try await histories.find(.sample(customer: "ada")).history.chains.first?.renewal == renewal)
    }

    @Test("A look-up decides as everything that is known does, then and later", arguments: HistoryStoreUnderTest.allCases)
    func decisions(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for seed in 0..<100 as Range<UInt64> {
            var chains = RandomChains(seed: seed, instants: .plausible)
            let app: AppPartition = "app \(seed)"
            for number in 0..<4 {
                let chain = chains.next(originalID: number < 2 ? "1" : "\(number)")
                _ = try await store.histories.apply(.sample([chain], of: "ada", app: app))
            }
            let query = HistoryQuery.sample(customer: "ada", app: app)
            let (found, whole) = try await (store.histories.find(query), store.histories.wholeHistory(of: query))
            #expect(found.isSupplied && whole.isSupplied)
            for hour in stride(from: 0, to: 12_000, by: 1201) as StrideTo<Int64> {
                let isSame = decision(on: found, at: .hours(hour)) == decision(on: whole, at: .hours(hour))
                #expect(isSame, "seed \(seed), hour \(hour)")
            }
        }
    }

    private func decision(on stored: StoredHistory, at now: Instant) -> [String] {
        let subscriptions = stored.history.chains.filter(\.isSubscription)
        let status = SubscriptionStatus(of: subscriptions, at: now)
        return subscriptions.map { "\($0.originalID) \($0.showsFirstPeriod) \($0.renewal?.value.willRenew as Any)" }
            + ["\(status.state) \(status.transaction?.id ?? "-") \(status.isRenewalUnconfirmed)"]
            + subscriptions.map { chain in "\(chain.transactions.contains { $0.offer?.kind == .introductory })" }
    }
}
