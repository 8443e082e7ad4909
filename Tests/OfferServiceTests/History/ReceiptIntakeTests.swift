import AppStoreTesting
import EligibilityRules
import OfferSigningTesting
import OfferStore
import Testing
import WireText

@testable import OfferService

@Suite("Taking in receipts", .timeLimit(.minutes(30)))
struct ReceiptIntakeTests {
    private let workshop: ReceiptWorkshop

    init() throws { workshop = try ReceiptWorkshop() }

    private static let period = TestReceipt.item(
        "1000", original: "1000", at: "2023-06-01T00:00:00Z", until: "2023-07-01T00:00:00Z", (1713, .number(1)))

    private func receipt(_ items: [[(Int, TestReceipt.Value)]], createdAt: String = "2023-06-15T00:00:00Z") throws -> String {
        Base64.encode(try TestAuthority.receipts.get().receipt(TestReceipt(createdAt: createdAt, items: items).bytes))
    }

    private func completeness() async throws -> Completeness {
        let query = HistoryQuery(partition: workshop.app.partition, customerID: "anna")
        return try await workshop.store.histories.find(query).completeness
    }

    @Test("A receipt of today without a subscription is enough")
    func enough() async throws {
        let receipt = try receipt([TestReceipt.item("3", original: "3", "coins", at: "2023-06-02T00:00:00Z")])
        try await workshop.serving { (intake, _) async throws in
            let report = try await intake.verify(receipt, customerID: "anna", from: .service, workshop.app)
            #expect(report == HistoryReport(accepted: 1))
            #expect(workshop.asked == [])
        }
        #expect(try await completeness() == .complete)
    }

    @Test("The App Store is asked about a receipt that shows a subscription, and about an older one")
    func lacking() async throws {
        let receipts = [try receipt([Self.period]), try receipt([], createdAt: "2023-06-13T23:59:59Z")]
        try await workshop.serving { (intake, _) async throws in
            for receipt in receipts {
                workshop.show(receipt, days: -14...16)
                let report = try await intake.verify(receipt, customerID: "anna", from: .service, workshop.app)
                #expect(report.verifyReceipt == nil)
            }
            #expect(workshop.asked == receipts)
        }
        #expect(try await workshop.kept().keys.sorted() == ["1000"])
    }

    @Test("While the App Store is away the receipt itself counts; later it is asked about")
    func away() async throws {
        let receipt = try receipt([Self.period])
        workshop.answer(receipt, AppStoreStub.Reply(status: 503))
        try await workshop.serving { (intake, poller) async throws in
            let report = try await intake.verify(receipt, customerID: "anna", from: .service, workshop.app)
            #expect((report.accepted, report.verifyReceipt?.code) == (1, "app-store-unavailable"))
            #expect(try await workshop.status().state == .active)
            #expect(try await workshop.kept().keys.sorted() == ["unverified"])
            workshop.show(receipt, days: -14...16, 16...46)
            workshop.clock.pass(ReceiptWorkshop.day)
            await poller.pollOnce()
            #expect(try await workshop.kept().keys.sorted() == ["1000"])
        }
        let query = HistoryQuery(partition: workshop.app.partition, customerID: "anna")
        let stored = try await workshop.store.histories.find(query)
        #expect(stored.history.chains.map { $0.transactions.map(\.id) } == [["1000", "100001"]])
        #expect(stored.history.chains[0].transactions[0].offer == RedeemedOffer(kind: .introductory))
    }

    @Test("What Apple did not sign is refused, and the App Store is not asked")
    func forged() async throws {
        let names = ["forged-leaf", "forged-intermediate", "forged-root"]
        let receipt = Base64.encode(try TestAuthority.receipts.get().receipt(TestReceipt().bytes, names))
        try await workshop.serving { (intake, _) async throws in
            await #expect(throws: HistoryError.self) {
                try await intake.verify(receipt, customerID: "anna", from: .service, workshop.app)
            }
            #expect(workshop.asked == [])
        }
        #expect(try await completeness() == .none)
    }
}
