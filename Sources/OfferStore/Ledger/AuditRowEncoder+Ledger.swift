import EligibilityRules

extension AuditRowEncoder {
    /// Encodes an entry. The order of the columns never changes, because the links of stored rows depend on it.
    ///
    /// - Parameters:
    ///   - nonces: the concatenated nonces.
    ///   - digests: the concatenated digests.
    ///   - offers: as `OfferList` writes them.
    package func encode(
        _ entry: LedgerEntry,
        id: Int64,
        nonces: UnsafeRawBufferPointer,
        digests: UnsafeRawBufferPointer,
        offers: UnsafeRawBufferPointer,
        _ keyed: AuditFunctions.Digest
    ) {
        begin(.signatures, id: id)
        append(entry.signedAt.milliseconds)
        append(entry.partition.name)
        append(entry.keyID)
        append(entry.form.rawValue)
        append(entry.request.caller)
        append(entry.request.id)
        append(nonces)
        append(digests)
        appendPersonal(entry.request.customerID)
        appendPersonal(entry.request.applicationUsername)
        appendPersonal(entry.request.transactionID)
        append(list: offers, publicFields: OfferList.publicFields)
        append(address: entry.request.address)
        finish(keyed)
    }

    /// Encodes refusals. The order of the columns never changes, because the links of stored rows depend on it.
    ///
    /// - Parameter offers: as `LedgerRefusals` writes them.
    package func encode(
        _ refusals: LedgerRefusals,
        id: Int64,
        offers: UnsafeRawBufferPointer,
        _ keyed: AuditFunctions.Digest
    ) {
        begin(.refusals, id: id)
        append(refusals.refusedAt.milliseconds)
        append(refusals.partition.name)
        append(refusals.request.caller)
        append(refusals.request.id)
        appendPersonal(refusals.request.customerID)
        appendPersonal(refusals.request.applicationUsername)
        appendPersonal(refusals.request.transactionID)
        append(list: offers, publicFields: LedgerRefusals.publicFields)
        append(address: refusals.request.address)
        finish(keyed)
    }
}
