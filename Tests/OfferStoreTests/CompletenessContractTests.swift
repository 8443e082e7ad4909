import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: completeness")
struct CompletenessContractTests {
    @Test("Only a source that shows the whole account makes a history complete", arguments: HistoryStoreUnderTest.allCases)
    func sources(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.apply(change([.consumable("1")], of: "ada", .part))
        _ = try await histories.apply(change([], of: "bob", .account))
        _ = try await histories.apply(change([.consumable("3")], of: "cal", .foreign))
        #expect(try await histories.find(.sample(customer: "ada")).completeness == .partial)
        #expect(try await histories.find(.sample(customer: "bob")).completeness == .complete)
        #expect(try await histories.find(.sample(customer: "cal")).completeness == .none)
        #expect(try await histories.wholeHistory(of: .sample(customer: "bob")).completeness == .complete)
        // And stays so, whatever part comes after.
        _ = try await histories.apply(change([.sample("4")], of: "bob", .part))
        #expect(try await histories.find(.sample(customer: "bob")).completeness == .complete)
    }

    @Test("An account of which a part is another customer's completes no customer", arguments: HistoryStoreUnderTest.allCases)
    func others(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.apply(change([.sample("1")], of: "ada", .part))
        _ = try await histories.apply(change([.sample("1"), .sample("2")], of: "bob", .account))
        #expect(try await histories.find(.sample(customer: "ada")).completeness != .complete)
        #expect(try await histories.find(.sample(customer: "bob")).completeness != .complete)
    }

    @Test("Without a customer's name the account is its owner's, if all of it is", arguments: HistoryStoreUnderTest.allCases)
    func owner(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.apply(change([.sample("1")], of: "ada", .part))
        _ = try await histories.apply(change([.sample("1"), .sample("2")], of: nil, .account))
        #expect(try await histories.find(.sample(customer: "ada")).completeness != .complete)
        _ = try await histories.apply(change([.sample("1")], of: nil, .account))
        #expect(try await histories.find(.sample(customer: "ada")).completeness == .complete)
    }

    @Test(
        "The groups that the App Store names are known, those of another environment not",
        arguments: HistoryStoreUnderTest.allCases)
    func groups(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        #expect(try await histories.seenGroups(partition: "com.example.app").isEmpty)
        _ = try await histories.apply(change([.sample("1")], of: nil, .foreign))
        #expect(try await histories.seenGroups(partition: "com.example.app").isEmpty)
        _ = try await histories.apply(change([.sample("2")], of: nil, .part))
        #expect(try await histories.seenGroups(partition: "com.example.app") == [ExactText("pro.monthly"): "20563228"])
        #expect(try await histories.seenGroups(partition: "com.example.other").isEmpty)
    }

    @Test(
        "What takes the place of a subscription is its customer's, whichever comes first",
        arguments: HistoryStoreUnderTest.allCases)
    func successors(_ implementation: HistoryStoreUnderTest) async throws {
        for isFirst in [true, false] {
            let store = try implementation.make()
            defer { withExtendedLifetime(store) {} }
            let histories = store.histories
            var bundle = PurchaseChain.sample("2")
            bundle.previousOriginalID = "1"
            let changes = [change([.sample("1")], of: "ada", .part), change([bundle], of: nil, .part)]
            for change in isFirst ? changes : changes.reversed() { _ = try await histories.apply(change) }
            #expect(try await histories.ids(.sample(customer: "ada")) == ["1", "2"], "\(isFirst)")
            let claim = try await histories.apply(change([bundle], of: "eve", .part))
            #expect(claim == .merged([.boundToAnotherCustomer]))
        }
    }

    @Test(
        "So is what takes the place of that, and no other customer may have any of them",
        arguments: HistoryStoreUnderTest.allCases)
    func laterSuccessors(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let chains = (1...4).map { number in
            var chain = PurchaseChain.sample("\(number)")
            if number > 1 { chain.previousOriginalID = "\(number - 1)" }
            return chain
        }
        for chain in chains[1...].reversed() { _ = try await histories.apply(change([chain], of: nil, .part)) }
        _ = try await histories.apply(change([chains[0]], of: "ada", .part))
        #expect(try await histories.ids(.sample(customer: "ada")) == ["1", "2", "3", "4"])
        // One that is not stored yet is its predecessor's customer's as well.
        var next = PurchaseChain.sample("5")
        next.previousOriginalID = "4"
        let claim = HistoryChange(
            partition: "com.example.app", claim: CustomerClaim("eve", .vouched), chains: [.sample("9"), next],
            terms: HistoryChange.Terms(isAllOrNothing: true), receivedAt: .testNow)
        #expect(try await histories.apply(claim) == .merged([.boundToAnotherCustomer, .boundToAnotherCustomer]))
        #expect(try await histories.find(.sample(transaction: "9")) == .unknown)
        #expect(try await histories.apply(change([next], of: nil, .part)) == .merged([.changed]))
        #expect(try await histories.ids(.sample(customer: "ada")) == ["1", "2", "3", "4", "5"])
    }

    @Test("A product that moves is in the group that the later purchase names", arguments: HistoryStoreUnderTest.allCases)
    func movedProduct(_ implementation: HistoryStoreUnderTest) async throws {
        for isTogether in [false, true] {
            let store = try implementation.make()
            defer { withExtendedLifetime(store) {} }
            let changes = [("1", 1, "new"), ("2", 0, "old"), ("3", 2, "newer"), ("4", 2, "newest"), ("5", 1, "new")].map {
                (id, period, group) in
                var chain = PurchaseChain.sample(id, periods: period..<period + 1)
                chain.groupID = group
                return change([chain], of: nil, .part)
            }
            if isTogether {
                _ = try await store.histories.applyAll(changes)
            } else {
                for change in changes { _ = try await store.histories.apply(change) }
            }
            #expect(try await store.histories.seenGroups(partition: "com.example.app") == [ExactText("pro.monthly"): "newest"])
        }
    }

    private func change(_ chains: [PurchaseChain], of customer: String?, _ extent: HistoryChange.Extent) -> HistoryChange {
        HistoryChange(
            partition: "com.example.app", claim: CustomerClaim(customer, .vouched), chains: chains, extent: extent,
            receivedAt: .testNow)
    }
}
