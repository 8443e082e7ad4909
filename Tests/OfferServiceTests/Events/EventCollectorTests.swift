import EligibilityRules
import Foundation
import Logging
import OfferSigning
import OfferStore
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("The event collector")
struct EventCollectorTests {
    private static let partition = AppPartition(bundleID: "com.example.app")

    private func json(_ event: ServiceEvent) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(event.data)) as? [String: Any])
    }

    @Test("Each signature of a request is an event, with what the ledger knows and no secret")
    func signatures() throws {
        let entry = LedgerEntry.sample(nonces: [UUID(), UUID()])
        let events = EventCollector.events(of: .signatures(entry))
        #expect(events.map(\.type) == ["offer.signed", "offer.signed"] && Set(events.map(\.id)).count == 2)
        #expect(events.allSatisfy { $0.orderingKey == "com.example.app/kunde-ä" && $0.customerID == "kunde-ä" })
        let data = try json(events[1])
        #expect(data["offerId"] as? String == "offer 1" && data["productId"] as? String == "pro.monthly")
        #expect(data["nonce"] as? String == entry.signatures[1].nonce.uuidString.lowercased())
        let names: Set = [
            "bundleId", "customerId", "productId", "offerId", "form", "keyId", "nonce", "signedAt", "caller", "requestId",
        ]
        #expect(Set(data.keys) == names)
    }

    @Test("The form is the one that requests and answers name", arguments: LedgerEntry.Form.allCases)
    func form(form: LedgerEntry.Form) throws {
        let sample = LedgerEntry.sample(nonces: [UUID()])
        let entry = LedgerEntry(
            signedAt: sample.signedAt, partition: sample.partition, keyID: sample.keyID, form: form, request: sample.request,
            signatures: sample.signatures)
        let said = try json(EventCollector.events(of: .signatures(entry))[0])["form"] as? String
        #expect(said == (form == .payload ? SignatureRequest.Form.payload : .jws).rawValue)
    }

    @Test("Without a customer, the transaction or else the request orders events")
    func orderingKeys() {
        func key(_ transaction: String?) -> String? {
            let refusals = LedgerRefusals(
                refusedAt: .testNow, partition: AppPartition(bundleID: "a", additionalEnvironment: .sandbox),
                request: LedgerRequest(id: "r", caller: "c", transactionID: transaction),
                offers: [.init(productID: "p", offerID: "", reason: "never-subscribed", evidence: "7")])
            return EventCollector.events(of: .refusals(refusals)).first?.orderingKey
        }
        #expect(key("1000") == "a#Sandbox/1000")
        #expect(key(nil) == "a#Sandbox/r")
    }

    @Test(
        "Changes in the audit log become events, or none",
        arguments: [
            ("campaign.submit", "draft", "campaign.review_requested"), ("campaign.reject", "draft", "campaign.sent_back"),
            ("campaign.rollback", "live", "campaign.published"), ("campaign.save", "draft", nil),
            ("campaign.verdict", #"{"code":"better","words":"half is better"}"#, "campaign.verdict"),
            ("campaign.split-off", #"{"code":"off","words":"…"}"#, "campaign.split_off"),
            ("key.activate", "active", "key.activated"), ("key.activate", "retiring", nil),
            ("key.revoke", "revoked", "key.revoked"),
            ("key.propose", "x", nil), ("access.expiring", "1000", "key.expiring"), ("access.create", "x", nil),
        ])
    func changes(_ action: String, _ after: String, _ type: String?) throws {
        let change = AuditEvent(
            at: .testNow, actor: "key", action: action, partition: Self.partition, object: AuditObject("s", after: after),
            reason: String(repeating: "ä", count: 30_000), personal: AuditPersonalData(address: "192.0.2.7"))
        let events = EventCollector.events(of: .change(change))
        #expect(events.first?.type == type)
        guard let event = events.first else { return }
        #expect(event.data.count < 19_000 && !String(decoding: event.data, as: UTF8.self).contains("192.0.2.7"))
        if action == "campaign.verdict" { #expect(try json(event)["words"] as? String == "half is better") }
        if action == "access.expiring" { #expect(try json(event)["expiresAt"] as? Int == 1000) }
    }

    @Test("An access key that expires within a week is recorded once, also over a restart")
    func expiry() async throws {
        let store = TemporaryStore()
        defer { withExtendedLifetime(store) {} }
        for (id, hours) in [("soon", 24 * 3), ("later", 24 * 20), ("over", -1)] as [(String, Int64)] {
            try await store.credentials.access.add(
                AccessRecord(
                    id: id, secretDigest: [1], role: "signer", apps: nil, note: "",
                    lifetime: AccessLifetime(createdAt: .testNow, expiresAt: .hours(hours)))
            )
        }
        func look(at hours: Int64, isTrusted: Bool = true) async {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            await AccessWatch(
                store: store.credentials.access, audit: store.audit, progress: store.progress,
                now: { isTrusted ? .hours(hours) : nil },
                system: SystemEnvironment(
                    now: { Instant.hours(hours) }, randomBytes: { count throws(SigningError) in try Crypto.randomBytes(count) }),
                failures: FailureLog(logger: logger) { _ in }
            ).lookOnce()
        }
        func subjects() async throws -> [String?] {
            try await store.audit.entries(.events, AuditFilter(action: "access.expiring"), before: nil, limit: 10)
                .map(\.event.object.id)
        }
        await look(at: 24 * 14, isTrusted: false)
        for hours in [0, 1, 2] as [Int64] { await look(at: hours) }
        #expect(try await subjects() == ["soon"])
        // One that was made for less than a week.
        try await store.credentials.access.add(
            AccessRecord(
                id: "brief", secretDigest: [1], role: "signer", apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: .hours(3), expiresAt: .hours(24))))
        await look(at: 4)
        for hours in [24 * 14, 24 * 15] as [Int64] { await look(at: hours) }
        #expect(try await subjects() == ["later", "brief", "soon"])
    }
}
