import EligibilityRules

extension AuditRowEncoder {
    /// Encodes an entry. The order of the columns never changes.
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
        append(entry.caller)
        append(entry.requestID)
        append(nonces)
        append(digests)
        appendPersonal(entry.customerID)
        appendPersonal(entry.applicationUsername)
        appendPersonal(entry.transactionID)
        append(list: offers, publicFields: OfferList.publicFields)
        append(address: entry.address)
        finish(keyed)
    }

    /// Encodes refusals. The order of the columns never changes.
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
        append(refusals.caller)
        append(refusals.requestID)
        appendPersonal(refusals.customerID)
        appendPersonal(refusals.applicationUsername)
        appendPersonal(refusals.transactionID)
        append(list: offers, publicFields: LedgerRefusals.publicFields)
        append(address: refusals.address)
        finish(keyed)
    }
}
