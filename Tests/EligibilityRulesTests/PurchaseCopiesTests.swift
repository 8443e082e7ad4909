import TestRandomness
import Testing

@testable import EligibilityRules

@Suite("Purchases under several transaction ids")
struct PurchaseCopiesTests {
    private static let start = Instant(milliseconds: 1_700_000_000_000)

    /// A month's statement about a purchase.
    private static func statement(
        _ id: String,
        item: String? = nil,
        after milliseconds: Int64 = 0,
        product: String = "monthly",
        addsSeats: Bool = false,
        revoked: (at: Int64, asOf: Int64)? = nil,
        valid asOf: Int64? = nil,
        cancelled: (at: Int64, asOf: Int64)? = nil,
        reversed: Int64? = nil
    ) -> PurchaseTransaction {
        func stamp(_ asOf: Int64, _ source: Source = .signedData) -> Stamp {
            Stamp(asOf: start.advanced(by: asOf), source: source)
        }
        let valid = (reversed ?? asOf).map { Stamped(Revocation.none, stamp($0)) }
        return PurchaseTransaction(
            id: id, productID: product, purchasedAt: start.advanced(by: milliseconds), terms: .init(lineItemID: item),
            course: .init(sharesPeriod: addsSeats),
            state: .init(
                expiry: Stamped(start.advanced(by: 30 * Month.day), stamp(0)),
                revocation: revoked.map { Stamped(.revoked(at: start.advanced(by: $0.at)), stamp($0.asOf)) } ?? valid,
                cancellation: cancelled.map { Stamped(start.advanced(by: $0.at), stamp($0.asOf, .receipt)) },
                reversal: reversed.map { stamp($0) }))
    }

    /// The purchases by their ids, the same in whatever order and grouping the statements are merged.
    private func purchases(_ statements: [PurchaseTransaction]) -> [[String]] {
        let chains = statements.map { PurchaseChain(originalID: "1", transactions: [$0]) }
        let merged = chains.reduce(PurchaseChain(originalID: "1")) { $0.merged(with: $1) }
        #expect(chains.reversed().reduce(PurchaseChain(originalID: "1")) { $0.merged(with: $1) } == merged)
        #expect(PurchaseChain(originalID: "1", transactions: statements.shuffled()) == merged)
        #expect(merged.merged(with: merged) == merged)
        for split in 1..<max(2, statements.count) {
            let halves = [chains.prefix(split), chains.dropFirst(split)].compactMap { half in
                half.dropFirst().reduce(half.first) { $0?.merged(with: $1) }
            }
            #expect(halves.reduce(PurchaseChain(originalID: "1")) { $0.merged(with: $1) } == merged)
        }
        return merged.transactions.map(\.ids)
    }

    @Test(
        "Statements of one line item of a product are one purchase; without a line item, those of the same second",
        arguments: [
            ([statement("2", item: "a"), statement("3", item: "a")], [["2", "3"]]),
            ([statement("2", item: "a"), statement("3", item: "a", after: 90_000)], [["2", "3"]]),
            ([statement("2", item: "a"), statement("3", item: "b")], [["2"], ["3"]]),
            ([statement("2", item: "a"), statement("3", item: "a", product: "premium")], [["2"], ["3"]]),
            ([statement("2"), statement("3")], [["2", "3"]]),
            ([statement("2"), statement("3", after: 999)], [["2", "3"]]),
            ([statement("2"), statement("3", after: 1000)], [["2"], ["3"]]),
            ([statement("2", after: -1), statement("3")], [["2"], ["3"]]),
            ([statement("2"), statement("3", product: "premium")], [["2"], ["3"]]),
            ([statement("2"), statement("3", item: "a")], [["2", "3"]]),
            ([statement("2"), statement("2", item: "a"), statement("3", item: "a", after: 60_000)], [["2", "3"]]),
            // The second has the line item of the third, and the second of the first.
            ([statement("2"), statement("3", item: "a"), statement("4", item: "a", after: 60_000)], [["2", "3", "4"]]),
            // Known to be one only by the third statement.
            ([statement("2"), statement("3", item: "a", after: 5000), statement("2", item: "a")], [["2", "3"]]),
            // Known to be two only by the third statement.
            ([statement("2"), statement("3", item: "a"), statement("2", item: "b")], [["2"], ["3"]]),
            ([statement("2"), statement("3", item: "b"), statement("4", item: "a")], [["2", "4"], ["3"]]),
            ([statement("2", addsSeats: true), statement("3", addsSeats: true), statement("4")], [["2"], ["3"], ["4"]]),
            ([statement("2", item: "a", addsSeats: true), statement("3", item: "a", addsSeats: true)], [["2", "3"]]),
            ([statement("2", item: "a", addsSeats: true), statement("3")], [["2"], ["3"]]),
            ([statement("\u{E9}", item: "a"), statement("e\u{301}", item: "a")], [["e\u{301}", "\u{E9}"]]),
            ([statement("2", item: "\u{E9}"), statement("3", item: "e\u{301}")], [["2"], ["3"]]),
        ])
    func purchases(statements: [PurchaseTransaction], ids: [[String]]) {
        #expect(purchases(statements).map { $0.map(ExactText.init) } == ids.map { $0.map(ExactText.init) })
    }

    @Test(
        "A refund under any id is the purchase's, until it is reversed under any id",
        arguments: [
            ([statement("2", item: "a", revoked: (50, 60)), statement("3", item: "a", valid: 70)], 50),
            ([statement("2", item: "a", valid: 10), statement("3", item: "a", revoked: (50, 60))], 50),
            ([statement("2", cancelled: (50, 60)), statement("3", item: "a", valid: 70)], 50),
            ([statement("2", item: "a", revoked: (50, 60)), statement("2", item: "a", valid: 70)], nil),
            ([statement("2", cancelled: (50, 60)), statement("2", valid: 70), statement("3", valid: 10)], nil),
            ([statement("2", item: "a", revoked: (50, 60)), statement("3", item: "a", reversed: 70)], nil),
            ([statement("2", cancelled: (50, 60)), statement("3", reversed: 70), statement("4", valid: 80)], nil),
            ([statement("2", item: "a", revoked: (90, 95)), statement("3", item: "a", reversed: 70)], 90),
            ([statement("2", revoked: (50, 60)), statement("3", revoked: (50, 65)), statement("2", reversed: 70)], nil),
        ] as [([PurchaseTransaction], Int64?)])
    func refunds(statements: [PurchaseTransaction], at: Int64?) {
        #expect(purchases(statements).count == 1)
        let chain = PurchaseChain(originalID: "1", transactions: statements)
        #expect(chain.transactions[0].revokedAt == at.map(Self.start.advanced))
        #expect(chain.summary(from: Self.start).transactions[0].revokedAt == at.map(Self.start.advanced))
    }

    @Test("Signed data means a refund also of an upgraded period, unsigned data an upgrade, whichever comes first")
    func upgraded() {
        var upgraded = Self.statement("2", valid: 10)
        upgraded.isUpgraded = true
        for (others, at) in [
            ([Self.statement("2", cancelled: (50, 60))], nil), ([Self.statement("2", revoked: (70, 80))], 70),
            ([Self.statement("2", cancelled: (50, 90)), Self.statement("2", revoked: (70, 80))], 70),
            ([Self.statement("3", revoked: (70, 80))], 70),
        ] as [([PurchaseTransaction], Int64?)] {
            for statements in [[upgraded] + others, others + [upgraded]] {
                let chain = PurchaseChain(originalID: "1", transactions: statements)
                #expect(chain.transactions.map(\.revokedAt) == [at.map(Self.start.advanced)])
            }
        }
    }

    @Test("Five months under two ids each are five paid periods, and the first shows the beginning by any id")
    func months() {
        let statements = (0..<5).flatMap { month in
            ["\(month)", "9\(month)"].map { id in
                PurchaseTransaction(
                    id: id, productID: "monthly", purchasedAt: Month.start(month), terms: .init(lineItemID: "7\(month)"),
                    state: .init(expiry: Stamped(Month.start(month + 1), Chain.stamp(month, 0))))
            }
        }
        let chain = PurchaseChain(originalID: "90", groupID: Shop.group, environment: .production, transactions: statements)
        let customer = Customer(
            history: PurchaseHistory([chain]), completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Month.start(4, day: 3))
        let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
        #expect(facts.purchases == 5 && facts.subscriptions.map(\.paidPeriods) == [5])
        #expect(chain.showsFirstPeriod && chain.hasCopies && chain.statements.count == 10)
        let summary = chain.summary(from: Month.start(4))
        #expect(summary.showsFirstPeriod && summary.transactions.allSatisfy { $0.otherIDs.isEmpty && $0.lineItemID == nil })
    }

    @Test("A purchase that becomes known under another id is no news, nor is its refund under that id")
    func news() {
        let first = PurchaseChain(originalID: "1", transactions: [Self.statement("3", item: "a", revoked: (50, 60))])
        let now = Self.start.advanced(by: Month.day)
        #expect(PurchaseNews.between(nil, first, at: now).map(\.kind) == [.started, .refunded])
        let copies = [Self.statement("2", item: "a", valid: 10), Self.statement("2", item: "a", revoked: (55, 90))]
        for copy in copies + [Self.statement("2")] {
            let both = first.merged(with: PurchaseChain(originalID: "1", transactions: [copy]))
            #expect(both.transactions.count == 1 && both.transactions[0].id == "2")
            #expect(PurchaseNews.between(first, both, at: now).isEmpty)
        }
    }
}
