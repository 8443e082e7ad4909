import EligibilityRules
import Foundation
import OfferStore

extension MemoryAudit {
    func append(_ entry: LedgerEntry) {
        var offers: [UInt8] = []
        entry.signatures.withUnsafeBufferPointer { OfferList.append($0, to: &offers) }
        let nonces = entry.signatures.flatMap { signature in withUnsafeBytes(of: signature.nonce.uuid) { Array($0) } }
        let digests = entry.signatures.flatMap(\.digest)
        let event = AuditEvent(
            at: entry.signedAt, actor: entry.request.caller, action: AuditEntry.signed, partition: entry.partition,
            object: AuditObject(entry.keyID, after: String(decoding: offers, as: UTF8.self)), requestID: entry.request.id,
            personal: AuditPersonalData(
                customerID: entry.request.customerID, transactionID: entry.request.transactionID, address: entry.request.address))
        append(.signatures, event) { [keyed = identity.keyed, offers] row, id in
            nonces.withUnsafeBytes { nonces in
                digests.withUnsafeBytes { digests in
                    offers.withUnsafeBytes { offers in
                        row.encode(entry, id: id, nonces: nonces, digests: digests, offers: offers, keyed)
                    }
                }
            }
        }
    }

    func append(_ refusals: LedgerRefusals) {
        let offers = refusals.list
        let event = AuditEvent(
            at: refusals.refusedAt, actor: refusals.request.caller, action: AuditEntry.refused, partition: refusals.partition,
            object: AuditObject(after: String(decoding: offers, as: UTF8.self)), requestID: refusals.request.id,
            personal: AuditPersonalData(
                customerID: refusals.request.customerID, transactionID: refusals.request.transactionID,
                address: refusals.request.address))
        append(.refusals, event) { [keyed = identity.keyed] row, id in
            offers.withUnsafeBytes { row.encode(refusals, id: id, offers: $0, keyed) }
        }
    }
}
