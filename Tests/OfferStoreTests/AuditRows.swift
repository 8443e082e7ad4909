import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting

/// What tests of the audit log write.
struct AuditRows {
    func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    func event(
        _ action: String, by actor: String = "ann", at milliseconds: Int64 = 1, app: AppPartition? = nil, subject: String = "K",
        after: String = "active"
    ) -> AuditEvent {
        AuditEvent(
            at: at(milliseconds), actor: actor, action: action, partition: app,
            object: AuditObject(subject, before: "staged", after: after), reason: "für Tests", requestID: "r",
            personal: AuditPersonalData(customerID: "kunde-ä", transactionID: "7", address: "192.0.2.1"))
    }

    func refusals(at milliseconds: Int64 = 1, evidence: String? = "12") -> LedgerRefusals {
        LedgerRefusals(
            refusedAt: at(milliseconds), partition: "com.example.app",
            request: LedgerRequest(id: "r", caller: "caller", address: evidence.map { "2001:db8::\($0)" }, customerID: "ann"),
            offers: [LedgerRefusals.Offer(productID: #"a "q" ]"#, offerID: "", reason: "no-history", evidence: evidence)])
    }

    /// Rows of every table, those with personal fields and those without.
    func fill(_ store: SigningStore, rows: Int = 5) async throws {
        for number in 0..<rows {
            let signatures = [UUID(), UUID()].map { nonce in
                LedgerSignature(
                    nonce: nonce, productID: "p,]\"", offerID: "o", transactionID: number % 2 == 0 ? "1000" : nil,
                    digest: [UInt8](repeating: UInt8(number), count: 32))
            }
            _ = try await store.ledger.record(
                LedgerSubmission(
                    .sample(signatures: signatures), refusals: refusals(evidence: number % 2 == 0 ? nil : "9"),
                    auditEvents: [event("campaign.verdict")]))
            try await store.audit.record([event("a.b"), event("c.d", by: "bob")])
        }
    }
}
