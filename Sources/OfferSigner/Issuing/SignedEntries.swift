import EligibilityRules
import OfferSigning
import OfferStore

/// Collects a request's signatures for the ledger; those that differ in product, offer and nonce only share an entry.
struct SignedEntries {
    private let request: SignatureRequest
    private let bundleID: String
    private let keyID: String
    private let now: Instant
    private let caller: String
    private let requestID: String
    private(set) var entries: [LedgerEntry] = []

    init(of request: SignatureRequest, app: App, keyID: String, now: Instant, caller: Caller, requestID: String) {
        self.request = request
        self.bundleID = app.bundleID
        self.keyID = keyID
        self.now = now
        self.caller = caller.id
        self.requestID = requestID
    }

    mutating func append(_ signed: SignedOffer, of item: SignatureRequest.Item) {
        let signature = LedgerSignature(
            nonce: signed.nonce, productID: item.productID, offerID: item.purpose.offerID ?? "", digest: signed.digest)
        let (form, transactionID) = kind(of: signed, item)
        if let last = entries.indices.last, entries[last].form == form, entries[last].transactionID == transactionID {
            entries[last].append(signature)
        } else {
            entries.append(entry(form, transactionID, signature))
        }
    }

    private func kind(
        of signed: SignedOffer,
        _ item: SignatureRequest.Item
    ) -> (LedgerEntry.Form, transactionID: String?) {
        if case .introductoryOffer(let transactionID, _) = item.purpose { return (.introductoryJWS, transactionID) }
        return switch signed.token {
        case .payload: (.payload, request.transactionID)
        case .jws: (.promotionalJWS, request.transactionID)
        }
    }

    private func entry(
        _ form: LedgerEntry.Form,
        _ transactionID: String?,
        _ signature: LedgerSignature
    ) -> LedgerEntry {
        var signatures: [LedgerSignature] = []
        signatures.reserveCapacity(form == .introductoryJWS ? 1 : request.items.count)
        signatures.append(signature)
        return LedgerEntry(
            signedAt: now,
            bundleID: bundleID,
            keyID: keyID,
            form: form,
            caller: caller,
            customerID: request.customerID,
            applicationUsername: form == .payload ? request.applicationUsername : nil,
            transactionID: transactionID,
            requestID: requestID,
            signatures: signatures
        )
    }
}
