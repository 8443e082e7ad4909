import OfferStore

extension LedgerEntry {
    /// Whether one of the ids stands in it.
    func names(_ ids: Set<String>) -> Bool {
        ([request.customerID, request.applicationUsername, request.transactionID] + signatures.map(\.transactionID)).contains {
            $0.map(ids.contains) ?? false
        }
    }

    /// Itself as erasing leaves it.
    var withoutNames: LedgerEntry {
        LedgerEntry(
            signedAt: signedAt, partition: partition, keyID: keyID, form: form,
            request: LedgerRequest(id: request.id, caller: request.caller),
            signatures: signatures.map {
                LedgerSignature(nonce: $0.nonce, productID: $0.productID, offerID: $0.offerID, digest: $0.digest)
            })
    }
}

extension LedgerRefusals {
    /// Whether one of the ids stands in it.
    func names(_ ids: Set<String>) -> Bool {
        ([request.customerID, request.applicationUsername, request.transactionID] + offers.map(\.evidence)).contains {
            $0.map(ids.contains) ?? false
        }
    }

    /// Itself as erasing leaves it.
    var withoutNames: LedgerRefusals {
        LedgerRefusals(
            refusedAt: refusedAt, partition: partition, request: LedgerRequest(id: request.id, caller: request.caller),
            offers: offers.map { Offer(productID: $0.productID, offerID: $0.offerID, reason: $0.reason, evidence: nil) })
    }
}

extension Exposure {
    /// Itself with another unit.
    func renamed(_ unit: String) -> Exposure {
        Exposure(
            arm: arm, unit: unit, at: at, source: source, nonce: nonce)
    }
}
