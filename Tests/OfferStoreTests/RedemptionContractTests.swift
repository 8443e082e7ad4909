import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Redemption contract")
struct RedemptionContractTests {
    /// A signature unlike the one that was redeemed, and why it is not that.
    private static let otherSignatures: [(String, LedgerEntry)] = [
        ("two minutes after the purchase", .offer(at: .hours(100).advanced(by: 120_000))),
        ("24 hours and two minutes before it", .offer(at: .hours(76).advanced(by: -120_000))),
        ("another customer's", .offer(customer: "bob", token: nil)),
        ("another's account token", .offer(customer: nil, token: "other")),
        ("no customer's", .offer(customer: nil, token: nil)),
        ("another product's", .offer(product: "pro.yearly")),
        ("another offer's", .offer(id: "half2")),
        ("another app's", .offer(app: "com.example.other")),
        ("one with a product that is only canonically equivalent", .offer(product: "pro.monthly\u{301}")),
    ]

    /// - Parameter item: the line item; nil: the id's own. Ids of one line item are one purchase.
    private func redeem(
        _ id: String,
        item: String? = nil,
        at instant: Instant = .hours(100),
        token: String? = "t",
        customer: String? = "ada",
        kind: RedeemedOffer.Kind = .promotional,
        in store: any RedemptionFixture
    ) async throws {
        let transaction = PurchaseTransaction(
            id: id, productID: "pro.monthly", purchasedAt: instant,
            terms: .init(lineItemID: item ?? "of \(id)", offer: RedeemedOffer(kind: kind, id: "half")))
        let chain = PurchaseChain(
            originalID: "1",
            account: .init(appAccountToken: token.map { Stamped(ExactText($0), Stamp(asOf: .testNow, source: .signedData)) }),
            transactions: [transaction])
        _ = try await store.histories.apply(.sample([chain], of: customer))
    }

    private func sign(_ entries: LedgerEntry..., in store: any RedemptionFixture) async throws {
        for entry in entries { _ = try await store.ledger.record(LedgerSubmission(entry)) }
    }

    private func tie(_ store: any RedemptionFixture, limit: Int = 100) async throws -> [Int] {
        let (examined, tied) = try await store.redemptions.tieRedemptions(limit: limit, now: .hours(200))
        return [examined, tied]
    }

    private func nonce(_ id: String, in store: any RedemptionFixture) async throws -> UUID? {
        try await store.redemptions.nonce(redeemedBy: id, partition: "com.example.app")
    }

    @Test(
        "A redemption is tied to its signature, by customer or by account token, whatever its id",
        arguments: RedemptionStoreUnderTest.allCases, ["1", "2001", "007", "9223372036854775808", "x"])
    func tying(_ implementation: RedemptionStoreUnderTest, id: String) async throws {
        for (customer, token) in [("ada", nil), (nil, "t"), ("ada", "t"), ("bob", "t"), ("ada", "u")] as [(String?, String?)] {
            let store = try implementation.make()
            defer { withExtendedLifetime(store) {} }
            let entry = LedgerEntry.offer(customer: customer, token: token)
            try await sign(.offer(customer: "cal", token: nil), entry, .offer(customer: "cal", token: nil), in: store)
            try await redeem(id, in: store)
            #expect(try await tie(store) == [1, 1])
            #expect(try await nonce(id, in: store) == entry.nonce)
            let elsewhere = try await store.redemptions.nonce(redeemedBy: id, partition: "com.example.other")
            #expect(elsewhere == nil)
            let all = try await store.redemptions.nonces(redeemedBy: [id, "none"], partition: "com.example.app")
            #expect(all == [ExactText(id): entry.nonce])
            #expect(try await tie(store) == [0, 0])
            let reopened = try store.reopened()
            #expect(try await nonce(id, in: reopened) == entry.nonce)
        }
    }

    @Test(
        "A redemption is counted until it changes, and not if it changed meanwhile",
        arguments: RedemptionStoreUnderTest.allCases)
    func counting(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let redemptions = store.redemptions
        func uncounted(of id: String? = nil, _ partition: AppPartition = "com.example.app") async throws -> [String] {
            try await redemptions.uncounted(partition: partition, originalTransactionID: id, limit: 10).map(\.transactionID)
        }
        try await redeem("5", in: store)
        try await redeem("7", at: .hours(101), in: store)
        #expect(try await uncounted() == ["5", "7"])
        #expect(try await uncounted(of: "1") == ["5", "7"])
        #expect(try await uncounted(of: "2") == [])
        #expect(try await uncounted(of: "1", "com.example.other") == [])
        let both = try await redemptions.uncounted(partition: nil, originalTransactionID: nil, limit: 10)
        #expect(both.map(\.nonce) == [nil, nil] && both.allSatisfy { $0.chain.originalID == "1" })
        try await redemptions.noteCounted([both[0]])
        #expect(try await uncounted() == ["7"])
        // The tie changes both.
        try await sign(.offer(), .offer(at: .hours(101)), in: store)
        #expect(try await tie(store) == [2, 2])
        try await redemptions.noteCounted(both)
        let changed = try await redemptions.uncounted(partition: nil, originalTransactionID: nil, limit: 10)
        #expect(changed.map(\.transactionID) == ["5", "7"] && changed.allSatisfy { $0.nonce != nil })
        try await redemptions.noteCounted(changed)
        #expect(try await uncounted() == [])
        #expect(try await uncounted(of: "1") == [])
    }

    @Test("A signature that was asked for by a transaction is that customer's, too", arguments: RedemptionStoreUnderTest.allCases)
    func transactions(_ implementation: RedemptionStoreUnderTest) async throws {
        for (transaction, isTied) in [("1", true), ("5", true), ("2", true), ("3", false)] {
            let store = try implementation.make()
            defer { withExtendedLifetime(store) {} }
            _ = try await store.histories.apply(
                .sample([PurchaseChain(originalID: "1", transactions: [PurchaseChain.consumable("5").transactions[0]])]))
            let entry = LedgerEntry.offer(customer: "bob", token: "u", transaction: transaction)
            try await sign(entry, .offer(customer: "bob", token: "u", transaction: "9"), in: store)
            try await redeem("2", in: store)
            #expect(try await tie(store) == [1, isTied ? 1 : 0], "\(transaction)")
            #expect(try await nonce("2", in: store) == (isTied ? entry.nonce : nil), "\(transaction)")
        }
    }

    @Test(
        "Once two customers are one, what either redeemed may have been signed for the other, by whatever name",
        arguments: RedemptionStoreUnderTest.allCases,
        [("ada", "bob", nil), ("bob", "ada", nil), (nil, "ada", "9"), (nil, "bob", "9")] as [(String?, String, String?)])
    func joined(_ implementation: RedemptionStoreUnderTest, names: (signed: String?, redeemed: String, transaction: String?))
        async throws
    {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let other = names.redeemed == "ada" ? "bob" : "ada"
        _ = try await store.histories.apply(
            .sample([PurchaseChain(originalID: "9", transactions: [PurchaseChain.consumable("9").transactions[0]])], of: other))
        let entry = LedgerEntry.offer(customer: names.signed, token: nil, transaction: names.transaction)
        try await sign(entry, in: store)
        try await redeem("2", token: nil, customer: names.redeemed, in: store)
        #expect(try await tie(store) == [1, 0])
        let outcome = try await store.histories.join(
            alias: "bob", into: "ada", partition: "com.example.app", now: .testNow)
        #expect(outcome == .joined)
        #expect(try await tie(store) == [1, 1])
        #expect(try await nonce("2", in: store) == entry.nonce)
    }

    @Test("It is tied to nothing else", arguments: RedemptionStoreUnderTest.allCases, otherSignatures)
    func nothingElse(_ implementation: RedemptionStoreUnderTest, other: (String, LedgerEntry)) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        try await sign(other.1, in: store)
        try await redeem("2", in: store)
        #expect(try await tie(store) == [1, 0])
        #expect(try await nonce("2", in: store) == nil)
    }

    @Test("A redemption of an unknown customer is tied to nothing", arguments: RedemptionStoreUnderTest.allCases)
    func nobody(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        try await sign(.offer(customer: nil, token: nil), .offer(), in: store)
        try await redeem("2", token: nil, customer: nil, in: store)
        #expect(try await tie(store) == [1, 0])
    }

    @Test("Only promotional offers are redemptions", arguments: RedemptionStoreUnderTest.allCases, RedeemedOffer.Kind.allCases)
    func kinds(_ implementation: RedemptionStoreUnderTest, kind: RedeemedOffer.Kind) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        try await sign(.offer(), in: store)
        try await redeem("2", kind: kind, in: store)
        #expect(try await tie(store) == (kind == .promotional ? [1, 1] : [0, 0]))
    }

    @Test("Of the signatures of one request it is that for the very offer", arguments: RedemptionStoreUnderTest.allCases)
    func oneOfARequest(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let offers = [("pro.yearly", "half"), ("pro.monthly", "half2"), ("pro.monthly", "half"), ("pro.weekly", "half")]
        let entry = LedgerEntry.offers(offers)
        try await sign(entry, in: store)
        try await redeem("2", in: store)
        try await redeem("3", in: store)
        #expect(try await tie(store) == [2, 1])
        #expect(try await [nonce("2", in: store), nonce("3", in: store)].contains(entry.signatures[2].nonce))
    }

    @Test(
        "Of several signatures the last before the purchase is redeemed, each once", arguments: RedemptionStoreUnderTest.allCases)
    func several(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let entries = [77, 98, 99, 101, 103].map { LedgerEntry.offer(at: .hours($0)) }
        for entry in entries { try await sign(entry, in: store) }
        for (id, hour) in [("2", 100), ("3", 102), ("4", 102), ("5", 102)] as [(String, Int64)] {
            try await redeem(id, at: .hours(hour), in: store)
        }
        #expect(try await tie(store) == [4, 3])
        #expect(try await nonce("2", in: store) == entries[2].nonce)
        let later = try await [nonce("3", in: store), nonce("4", in: store), nonce("5", in: store)]
        #expect(Set(later) == [entries[3].nonce, entries[1].nonce, nil])
    }

    @Test("A redemption is looked at once, the oldest first, so many at a time", arguments: RedemptionStoreUnderTest.allCases)
    func once(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        try await sign(.offer(at: .hours(10)), in: store)
        for (id, hour) in [("4", 50), ("2", 11), ("3", 40)] as [(String, Int64)] {
            try await redeem(id, at: .hours(hour), in: store)
        }
        #expect(try await tie(store, limit: 1) == [1, 1])
        #expect(try await nonce("2", in: store) != nil)
        #expect(try await tie(store, limit: 5) == [2, 0])
        // What is signed, or said again, later changes nothing any more.
        try await sign(.offer(at: .hours(49)), in: store)
        try await redeem("4", at: .hours(50), in: store)
        _ = try await store.histories.apply(.sample([.sample("1", periods: 0..<3)], of: "ada"))
        #expect(try await tie(store) == [0, 0])
        #expect(try await nonce("4", in: store) == nil)
    }

    @Test("The signature is found in a long ledger, pruned or not", arguments: RedemptionStoreUnderTest.allCases, [0, 4000])
    func longLedger(_ implementation: RedemptionStoreUnderTest, pruned: Int) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        // One a minute, each for another customer.
        let entries = (0..<6000).map { minute in
            LedgerEntry.offer(customer: "c\(minute)", token: nil, at: .testNow.advanced(by: Int64(minute) * 60_000))
        }
        // The database ends a transaction that stands still for 5 s. A larger part takes that long under a sanitizer.
        for start in stride(from: 0, to: 6000, by: 100) {
            _ = try await store.ledger.record(entries[start..<start + 100].map { LedgerSubmission($0) })
        }
        try await store.ledger.served(0, at: .testNow)
        _ = try await store.ledger.prune(servedSince: 0, limit: pruned)
        for index in [4001, 4500, 5400, 5999] {
            let chain = PurchaseChain(
                originalID: "of c\(index)",
                transactions: [
                    PurchaseTransaction(
                        id: "\(index)", productID: "pro.monthly", purchasedAt: entries[index].signedAt.advanced(by: 36_000_000),
                        terms: .init(offer: RedeemedOffer(kind: .promotional, id: "half")))
                ])
            _ = try await store.histories.apply(.sample([chain], of: "c\(index)"))
        }
        #expect(try await tie(store) == [4, 4])
        for index in [4001, 4500, 5400, 5999] { #expect(try await nonce("\(index)", in: store) == entries[index].nonce) }
    }

    @Test("A purchase at an impossible time is looked at like any other", arguments: RedemptionStoreUnderTest.allCases)
    func impossibleTimes(_ implementation: RedemptionStoreUnderTest) async throws {
        for milliseconds in [Int64.max, .min, 0] {
            let store = try implementation.make()
            defer { withExtendedLifetime(store) {} }
            try await sign(.offer(), in: store)
            try await redeem("1", at: Instant(milliseconds: milliseconds), in: store)
            #expect(try await tie(store) == [1, 0])
            #expect(try await tie(store) == [0, 0])
        }
    }

    private func uncounted(_ store: any RedemptionFixture) async throws -> [UncountedRedemption] {
        try await store.redemptions.uncounted(partition: nil, originalTransactionID: nil, limit: 100)
    }

    @Test(
        "One purchase is one redemption, whichever of its ids comes first, in one change or in several",
        arguments: RedemptionStoreUnderTest.allCases, [["2", "3", "1"], ["3", "1", "2"]])
    func copies(_ implementation: RedemptionStoreUnderTest, ids: [String]) async throws {
        for isAtOnce in [true, false] {
            let store = try implementation.make()
            defer { withExtendedLifetime(store) {} }
            let entry = LedgerEntry.offer()
            try await sign(.offer(at: .hours(98)), entry, in: store)
            if isAtOnce {
                let chains = ids.map { id in
                    let transaction = PurchaseTransaction(
                        id: id, productID: "pro.monthly", purchasedAt: .hours(100),
                        terms: .init(lineItemID: "item", offer: RedeemedOffer(kind: .promotional, id: "half")))
                    return PurchaseChain(originalID: "1", transactions: [transaction])
                }
                _ = try await store.histories.apply(.sample(chains, of: "ada"))
                _ = try await store.histories.applyAll(chains.reversed().map { .sample([$0], of: "ada") })
            } else {
                for id in ids { try await redeem(id, item: "item", in: store) }
            }
            #expect(try await tie(store) == [1, 1])
            let recorded = try await uncounted(store)
            #expect(recorded.map(\.nonce) == [entry.nonce] && recorded.map(\.isCopy) == [false])
            #expect(recorded[0].chain.transactions.map(\.ids) == [["1", "2", "3"]])
            try await store.redemptions.noteCounted(recorded)
            #expect(try await uncounted(store).isEmpty)
            let purchase = recorded[0].chain.transactions[0]
            let nonces = try await store.redemptions.nonces(redeemedBy: [purchase], partition: "com.example.app")
            #expect(nonces == [ExactText("1"): entry.nonce])
            for id in ids {
                #expect(try await store.histories.find(.sample(transaction: id)).customerID == "ada")
            }
        }
    }

    @Test(
        "What counted as two until a source shows that it is one is a copy from then on",
        arguments: RedemptionStoreUnderTest.allCases)
    func joinedLater(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        try await redeem("3", item: "a", in: store)
        try await redeem("2", item: "b", in: store)
        #expect(try await uncounted(store).map(\.isCopy) == [false, false])
        try await store.redemptions.noteCounted(try await uncounted(store))
        // Of two line items under one id the greater counts.
        try await redeem("3", item: "b", in: store)
        let recorded = try await uncounted(store)
        #expect(Set(recorded.map { "\($0.transactionID) \($0.isCopy)" }) == ["2 false", "3 true"])
        #expect(recorded.allSatisfy { $0.chain.transactions.map(\.ids) == [["2", "3"]] })
    }

    @Test("A customer who is known only later has the redemption looked at again", arguments: RedemptionStoreUnderTest.allCases)
    func boundLater(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let entry = LedgerEntry.offer(customer: "ada", token: nil)
        try await sign(entry, in: store)
        try await redeem("1", token: nil, customer: nil, in: store)
        #expect(try await tie(store) == [1, 0])
        _ = try await store.histories.bind(
            originalTransactionID: "1", to: "ada", partition: "com.example.app", now: .hours(101))
        #expect(try await tie(store) == [1, 1])
        #expect(try await nonce("1", in: store) == entry.nonce)
    }
}

extension LedgerEntry {
    /// A signature for Ada's offer, an hour before she redeems it, unless said otherwise.
    fileprivate static func offer(
        app partition: AppPartition = "com.example.app",
        product: String = "pro.monthly",
        id: String = "half",
        customer: String? = "ada",
        token: String? = "t",
        transaction: String? = nil,
        at instant: Instant = .hours(99)
    ) -> LedgerEntry {
        offers([(product, id)], app: partition, customer: customer, token: token, transaction: transaction, at: instant)
    }

    /// Signatures for several offers in one request.
    fileprivate static func offers(
        _ offers: [(product: String, id: String)],
        app partition: AppPartition = "com.example.app",
        customer: String? = "ada",
        token: String? = "t",
        transaction: String? = nil,
        at instant: Instant = .hours(99)
    ) -> LedgerEntry {
        let signatures = offers.map { offer in
            LedgerSignature(
                nonce: UUID(), productID: offer.product, offerID: offer.id, digest: [UInt8](repeating: 1, count: 32))
        }
        return LedgerEntry(
            signedAt: instant, partition: partition, keyID: "ABCDEFGHIJ", form: .payload,
            request: LedgerRequest(
                id: "request", caller: "caller", customerID: customer, applicationUsername: token, transactionID: transaction),
            signatures: signatures)
    }
}
