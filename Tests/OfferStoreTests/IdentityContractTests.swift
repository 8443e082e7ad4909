import EligibilityRules
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@Suite("History contract: one person under several names")
struct IdentityContractTests {
    @Test(
        "All that a name has goes to the customer whose alias it becomes, and so does what comes later",
        arguments: HistoryStoreUnderTest.allCases)
    func joining(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        _ = try await first.histories.apply(.sample([.sample("1"), .consumable("8")], of: "anon-1", by: .claimed))
        _ = try await first.histories.apply(.sample([.sample("2")], of: "ada"))
        #expect(try await first.join("anon-1", into: "ada") == .joined)
        let store = try first.reopened()
        #expect(try await store.join("anon-1", into: "ada") == .unchanged)
        #expect(try await store.join("ada", into: "anon-1") == .unchanged)
        #expect(try await store.join("anon-1", into: "bob") == .aliasOfAnotherCustomer)
        _ = try await store.histories.apply(.sample([.sample("3")], of: "anon-1"))
        for name in ["ada", "anon-1"] {
            #expect(try await store.ids(of: name) == ["1", "2", "3", "8"])
            let found = try await store.histories.find(.sample(customer: name)).history.chains.map(\.originalID).sorted()
            #expect(found == ["1", "2", "3"])
            #expect(try await store.histories.find(.sample(customer: name, transaction: "2")).isOfAnotherCustomer == false)
            #expect(try await store.bind("1", to: CustomerClaim(name, .claimed)) == .unchanged)
        }
        #expect(try await store.histories.aliases(of: "ada", partition: "com.example.app") == ["anon-1"])
        #expect(try await store.histories.aliases(of: "anon-1", partition: "com.example.app") == ["ada"])
        // An alias of an alias, and an app that has nothing to do with it.
        #expect(try await store.join("ada", into: "zoe") == .joined)
        #expect(try await store.ids(of: "anon-1") == ["1", "2", "3", "8"])
        #expect(try await store.histories.aliases(of: "zoe", partition: "com.example.app") == ["ada", "anon-1"])
        #expect(try await store.histories.aliases(of: "anon-1", partition: "com.example.other") == [])
        let names = ["ada", "bob", "anon-1", "zoe", "nobody"]
        #expect(
            try await store.histories.customers(named: names, partition: "com.example.app") == [
                "zoe", "bob", "zoe", "zoe", "nobody",
            ])
        #expect(try await store.histories.customers(named: names, partition: "com.example.other") == names)
        let queries = names.map { HistoryQuery.sample(customer: $0) }
        let found = try await store.histories.wholeHistories(of: queries)
        #expect(found.map { $0.history.chains.count } == [4, 0, 4, 4, 0])
        for (query, history) in zip(queries, found) {
            #expect(try await store.histories.wholeHistory(of: query) == history)
        }
    }

    @Test("Two who are one are known completely only if both were", arguments: HistoryStoreUnderTest.allCases)
    func completeness(_ implementation: HistoryStoreUnderTest) async throws {
        for (first, second, isComplete) in [
            (HistoryChange.Extent.account, HistoryChange.Extent.account, true), (.account, .part, false),
            (.part, .account, false),
            (.part, .part, false),
        ] {
            let store = try implementation.make()
            defer { withExtendedLifetime(store) {} }
            for (name, id, extent) in [("ada", "1", first), ("anon-1", "2", second)] {
                let change = HistoryChange(
                    partition: "com.example.app", claim: CustomerClaim(name, .vouched), chains: [.sample(id)], extent: extent,
                    receivedAt: .testNow)
                _ = try await store.histories.apply(change)
            }
            #expect(try await store.join("anon-1", into: "ada") == .joined)
            #expect((try await store.histories.find(.sample(customer: "ada")).completeness == .complete) == isComplete)
            // Of an unknown customer nothing is missing.
            #expect(try await store.join("ada", into: "zoe") == .joined)
            #expect((try await store.histories.find(.sample(customer: "zoe")).completeness == .complete) == isComplete)
        }
    }

    @Test("A better proof takes a subscription from who came first, and says so", arguments: HistoryStoreUnderTest.allCases)
    func takingBack(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1", token: IdentityModel.names[2])
        _ = try await store.histories.apply(.sample([.sample("1")], of: "thief", by: .claimed))
        #expect(
            try await store.histories.apply(.sample([.sample("1")], of: "ada", by: .claimed))
                == .merged([.boundToAnotherCustomer]))
        #expect(try await store.histories.apply(.sample([.sample("1")], of: "ada")) == .merged([.taken(from: "thief")]))
        #expect(
            try await store.histories.apply(.sample([.sample("1")], of: "thief", by: .claimed))
                == .merged([.boundToAnotherCustomer]))
        // Between two customers named by backends the token decides, however its id is written; a client's word does not.
        let owner = IdentityModel.names[2].uppercased()
        let claim = HistoryChange.sample([chain], of: owner, by: .claimed)
        #expect(try await store.histories.apply(claim) == .merged([.boundToAnotherCustomer]))
        #expect(try await store.histories.apply(.sample([chain], of: owner)) == .merged([.taken(from: "ada")]))
        #expect(try await store.histories.apply(.sample([chain], of: "ada")) == .merged([.boundToAnotherCustomer]))
        #expect(try await store.bind("1", to: CustomerClaim("ada", .transferred)) == .transferred(from: owner))
        #expect(try await store.histories.apply(.sample([chain], of: owner)) == .merged([.boundToAnotherCustomer]))
        // A purchase that comes along with one of another customer's stays out as a whole, and no customer loses anything.
        let both = HistoryChange(
            partition: "com.example.app", claim: CustomerClaim("bob", .vouched), chains: [.sample("2"), .sample("1")],
            terms: HistoryChange.Terms(isAllOrNothing: true), receivedAt: .testNow)
        _ = try await store.histories.apply(.sample([.sample("2")], of: "thief", by: .claimed))
        #expect(try await store.histories.apply(both) == .merged([.boundToAnotherCustomer, .boundToAnotherCustomer]))
        #expect(try await store.ids(of: "thief") == ["2"])
    }

    @Test("Whose token it is may be known from another purchase", arguments: HistoryStoreUnderTest.allCases)
    func knownToken(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let (old, new) = (PurchaseChain.sample("1", token: "t"), PurchaseChain.sample("2", token: "t"))
        _ = try await store.histories.apply(.sample([new], of: "thief", by: .claimed))
        let claim = HistoryChange.sample([new], of: "ada", by: .claimed)
        #expect(try await store.histories.apply(claim) == .merged([.boundToAnotherCustomer]))
        _ = try await store.histories.apply(.sample([old], of: "ada", by: .claimed))
        #expect(try await store.histories.apply(claim) == .merged([.boundToAnotherCustomer]))
        _ = try await store.histories.apply(.sample([old], of: "ada"))
        #expect(try await store.histories.apply(claim) == .merged([.taken(from: "thief")]))
    }

    @Test(
        "Whatever order purchases, sign-ins, transfers and merges come in, each subscription has the owner that the rules name",
        arguments: [HistoryStoreUnderTest.sqlite])
    func sequences(_ implementation: HistoryStoreUnderTest) async throws {
        var random = SplitMix64(seed: 0x1DE7)
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for sequence in 0..<1000 {
            let app = AppPartition(bundleID: "com.example.app\(sequence)")
            var model = IdentityModel()
            for _ in 0..<(4 + random.below(20)) {
                let step = IdentityModel.randomStep(&random)
                model.take(step)
                try await store.take(step, app)
            }
            try await store.expect(model, app, "sequence \(sequence)")
        }
    }

    @Test("In any order they end with the same owner", arguments: [HistoryStoreUnderTest.sqlite])
    func orders(_ implementation: HistoryStoreUnderTest) async throws {
        var random = SplitMix64(seed: 0x0DE5)
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for set in 0..<50 {
            var steps: [IdentityModel.Step] = []
            for chain in IdentityModel.chains {
                steps += [.event(chain), .event(chain)]
                // Proofs that differ; by token only who it names.
                steps.append(.claim(chain, IdentityModel.tokens[chain]! ?? random.any(of: IdentityModel.names), .claimed))
                if random.below(2) == 0 { steps.append(.claim(chain, random.any(of: ["ada", "bob"]), .vouched)) }
                if random.below(3) == 0 { steps.append(.claim(chain, random.any(of: IdentityModel.names), .transferred)) }
            }
            let ranked = IdentityModel.names.shuffled(using: &random)
            for place in 1..<ranked.count where random.below(2) == 0 {
                steps.append(.join(ranked[place], ranked[random.below(place)]))
            }
            var expected: [String: String]?
            for order in 0..<4 {
                let app = AppPartition(bundleID: "com.example.app\(set).\(order)")
                for step in steps.shuffled(using: &random) { try await store.take(step, app) }
                let owners = try await store.owners(app)
                #expect(owners == expected ?? owners, "\(steps)")
                expected = owners
            }
        }
    }
}

extension StoreFixture {
    fileprivate func join(_ alias: String, into customerID: String, _ app: AppPartition = "com.example.app") async throws
        -> JoiningOutcome
    {
        try await histories.join(alias: alias, into: customerID, partition: app, now: .hours(1))
    }

    fileprivate func bind(_ id: String, to claim: CustomerClaim, _ app: AppPartition = "com.example.app") async throws
        -> BindingOutcome
    {
        try await histories.bind(originalTransactionID: id, to: claim, partition: app, now: .hours(1))
    }

    fileprivate func ids(of customer: String, _ app: AppPartition = "com.example.app") async throws -> [String] {
        try await histories.wholeHistory(of: .sample(customer: customer, app: app)).history.chains.map(\.originalID).sorted()
    }

    fileprivate func take(_ step: IdentityModel.Step, _ app: AppPartition) async throws {
        func chain(_ id: String) -> PurchaseChain { .sample(id, token: IdentityModel.tokens[id]!) }
        switch step {
        case .event(let id): _ = try await histories.apply(.sample([chain(id)], app: app))
        case .claim(let id, let name, .transferred): _ = try await bind(id, to: CustomerClaim(name, .transferred), app)
        case .claim(let id, let name, let proof):
            _ = try await histories.apply(.sample([chain(id)], of: name, by: proof, app: app))
        case .latest(let id, let name):
            let change = HistoryChange(
                partition: app, claim: CustomerClaim(name, .claimed), chains: [chain(id)],
                terms: HistoryChange.Terms(transfers: true), receivedAt: .testNow)
            _ = try await histories.apply(change)
        case .unbind(let id, let name):
            _ = try await histories.unbind(originalTransactionID: id, from: name, partition: app, now: .hours(1))
        case .join(let name, let other): _ = try await join(name, into: other, app)
        }
    }

    /// By subscription, the one name under which it is found that is no alias; fails where there are two.
    fileprivate func owners(_ app: AppPartition) async throws -> [String: String] {
        var owners: [String: String] = [:]
        for name in IdentityModel.names {
            for id in try await ids(of: name, app) {
                let others = try await histories.aliases(of: name, partition: app)
                // All names of one customer find the same.
                owners[id] = owners[id] ?? ([name] + others).min()
                #expect(owners[id] == ([name] + others).min(), "\(id) has two owners")
            }
        }
        return owners
    }

    fileprivate func expect(_ model: IdentityModel, _ app: AppPartition, _ comment: Comment) async throws {
        for name in IdentityModel.names {
            let expected = model.owners.filter { $0.value.customer == model.customer(name) }.keys.sorted()
            #expect(try await ids(of: name, app) == expected, comment)
            let query = HistoryQuery.sample(customer: name, app: app)
            #expect(try await histories.find(query).history.chains.count <= expected.count, comment)
        }
        for id in model.seen {
            // None is lost: it is there, whichever customer owns it.
            let found = try await histories.wholeHistory(of: .sample(transaction: id, app: app)).history.chains
            #expect(found.contains { $0.originalID == id }, comment)
        }
    }
}
