import EligibilityRules
package import Foundation
package import OfferStore

extension LedgerEntry {
    /// A row with everything in it.
    package static func sample(
        signatures: [LedgerSignature],
        at milliseconds: Int64 = 1_700_000_000_000,
        transaction: String? = nil,
        app partition: AppPartition = "com.example.app"
    ) -> LedgerEntry {
        LedgerEntry(
            signedAt: Instant(milliseconds: milliseconds),
            partition: partition,
            keyID: "ABCDEFGHIJ",
            form: .payload,
            request: LedgerRequest(
                id: "request-1", caller: "0123456789abcdef", address: "192.0.2.7", customerID: "kunde-ä", applicationUsername: "",
                transactionID: transaction),
            signatures: signatures
        )
    }

    /// A row with one signature for each nonce.
    package static func sample(
        nonces: [UUID],
        at milliseconds: Int64 = 1_700_000_000_000,
        transaction: String? = nil
    ) -> LedgerEntry {
        let signatures = nonces.enumerated().map { index, nonce in
            LedgerSignature(
                nonce: nonce, productID: "pro.monthly", offerID: "offer \(index)",
                digest: [UInt8](repeating: UInt8(index), count: 32))
        }
        return sample(signatures: signatures, at: milliseconds, transaction: transaction)
    }

    /// A row with one signature.
    package static func sample(nonce: UUID = UUID(), at milliseconds: Int64 = 1_700_000_000_000) -> LedgerEntry {
        sample(nonces: [nonce], at: milliseconds)
    }

    /// The nonce of the first signature.
    package var nonce: UUID { signatures[0].nonce }
}

extension IdempotencyRecord {
    /// A record with an answer in it.
    package static func sample(
        key: String = "key",
        caller: String = "caller",
        digest: UInt8 = 1,
        at milliseconds: Int64 = 1_700_000_000_000
    ) -> IdempotencyRecord {
        IdempotencyRecord(
            caller: caller,
            key: key,
            requestDigest: [digest],
            answer: Array("answer \(digest)".utf8),
            createdAt: Instant(milliseconds: milliseconds)
        )
    }
}

extension UUID {
    /// So many that share their first eight bytes.
    package static func series(of count: UInt8) -> [UUID] {
        let first = UUID().uuid
        return (0..<count).map { number in
            var bytes = UUID().uuid
            (bytes.0, bytes.1, bytes.2, bytes.3) = (first.0, first.1, first.2, first.3)
            (bytes.4, bytes.5, bytes.6, bytes.7) = (first.4, first.5, first.6, first.7)
            bytes.8 = number | 0x80
            return UUID(uuid: bytes)
        }
    }
}
