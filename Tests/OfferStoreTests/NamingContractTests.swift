import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Ledger contract: rows that name a customer")
struct NamingContractTests {
    private static let app: AppPartition = "com.example.app"
    private static let all = AuditSlice(0..<Int64.max)

    private func entry(
        _ requestID: String,
        at place: Int64 = 0,
        app: AppPartition = NamingContractTests.app,
        customer: String? = nil,
        username: String? = nil,
        transaction: String? = nil,
        own: String? = nil
    ) -> LedgerEntry {
        LedgerEntry(
            signedAt: .testNow.advanced(by: place), partition: app, keyID: "key", form: .payload,
            request: LedgerRequest(
                id: requestID, caller: "caller", customerID: customer, applicationUsername: username, transactionID: transaction),
            signatures: [
                LedgerSignature(
                    nonce: UUID(), productID: "pro", offerID: "half", transactionID: own,
                    digest: [UInt8](repeating: 1, count: 32))
            ])
    }

    private func refusals(_ requestID: String, customer: String?, evidence: String?) -> LedgerRefusals {
        LedgerRefusals(
            refusedAt: .testNow, partition: Self.app,
            request: LedgerRequest(id: requestID, caller: "caller", customerID: customer),
            offers: [.init(productID: "pro", offerID: "half", reason: "never-subscribed", evidence: evidence)])
    }

    @Test("Whatever names the customer is found, in that app and in those rows", arguments: SigningStoreUnderTest.allCases)
    func named(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let entries = [
            entry("customer", at: 1, customer: "u-1"), entry("username", at: 2, username: "token"),
            entry("transaction", at: 3, transaction: "7"), entry("own", at: 4, own: "7"),
            entry("other", at: 5, customer: "u-2", username: "u-10", own: "77"),
            entry("elsewhere", at: 6, app: "com.example.other", customer: "u-1"),
        ]
        for entry in entries { _ = try await store.ledger.record(LedgerSubmission(entry)) }
        for each in [
            refusals("r-customer", customer: "u-1", evidence: nil), refusals("r-evidence", customer: nil, evidence: "7"),
            refusals("r-other", customer: "u-2", evidence: nil),
        ] {
            _ = try await store.ledger.record(LedgerSubmission(nil, refusals: each))
        }
        let ids: Set<String> = ["u-1", "token", "7", "'); DROP TABLE signed_request; --", "\u{E9}\"\\"]
        func found(latest: Int64? = nil) async throws -> [String] {
            let parts = try await store.audit.slices(of: .signatures, latest: latest)
            var names: [String] = []
            for slice in parts.slices {
                names += try await store.ledger.entries(naming: ids, partition: Self.app, in: slice).map(\.request.id)
            }
            return names
        }
        #expect(try await found() == ["customer", "username", "transaction", "own"])
        #expect(try await found(latest: 4) == ["transaction", "own"])
        #expect(try await found(latest: 99) == found())
        let refused = try await store.ledger.refusals(naming: ids, partition: Self.app, in: Self.all)
        #expect(refused.map(\.request.id) == ["r-customer", "r-evidence"])
        let nonces = [entries[3], entries[0]].map { $0.signatures[0].nonce }
        let owners = try await store.ledger.entries(of: nonces + [UUID()])
        #expect(Set(owners.map(\.request.id)) == ["customer", "own"])

        try await store.audit.record([
            AuditEvent(
                at: .testNow, actor: "x", action: "customer.bind", partition: Self.app,
                personal: AuditPersonalData(customerID: "u-1")),
            AuditEvent(
                at: .testNow, actor: "x", action: "customer.bind", partition: Self.app,
                personal: AuditPersonalData(customerID: "u-2")),
        ])
        let events = try await store.audit.events(naming: ids, partition: Self.app, in: Self.all)
        #expect(events.map(\.personal.customerID) == ["u-1"])

        let erasure = AuditEvent(at: .testNow, actor: "x", action: "customer.erase", partition: Self.app)
        #expect(try await store.audit.erase(ids, bundleID: Self.app.bundleID, audit: erasure) >= 4)
        #expect(try await found() == [])
        #expect(try await store.ledger.refusals(naming: ["u-2"], partition: Self.app, in: Self.all).count == 1)
    }
}
