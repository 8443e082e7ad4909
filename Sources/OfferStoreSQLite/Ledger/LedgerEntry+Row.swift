import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

extension LedgerEntry {
    /// Reads a row of `signed_request`. Throws what is damaged.
    init(row: Row) throws {
        let (nonces, digests) = (row["nonces"] as Data, row["digests"] as Data)
        let offers = try OfferList.read(row["offers"])
        guard let form = Form(rawValue: row["form"]) else { throw StoreError(.damaged, "a row of the ledger has no known form") }
        guard !offers.isEmpty, nonces.count == offers.count * LedgerSignature.nonceLength,
            digests.count == offers.count * LedgerSignature.digestLength
        else { throw StoreError(.damaged, "a row of the ledger has not as many nonces and digests as offers") }
        let signatures = offers.enumerated().map { index, offer in
            LedgerSignature(
                nonce: UUID(databaseBytes: nonces.part(index, of: LedgerSignature.nonceLength))!,
                productID: offer.productID,
                offerID: offer.offerID,
                transactionID: offer.transactionID,
                digest: Array(digests.part(index, of: LedgerSignature.digestLength))
            )
        }
        self.init(
            signedAt: Instant(milliseconds: row["signed_at"]),
            partition: AppPartition(name: row["bundle_id"]),
            keyID: row["key_id"],
            form: form,
            caller: row["caller"],
            customerID: row["customer_id"],
            applicationUsername: row["application_username"],
            transactionID: row["transaction_id"],
            requestID: row["request_id"],
            address: row["address"],
            signatures: signatures
        )
    }
}

extension Data {
    /// One of the parts of equal length that it is made of.
    func part(_ index: Int, of length: Int) -> Data { dropFirst(index * length).prefix(length) }
}
