import EligibilityRules
import Foundation
import OfferStore

extension LedgerEntry {
    /// A row with everything in it.
    static func sample(nonce: UUID = UUID(), at milliseconds: Int64 = 1_700_000_000_000) -> LedgerEntry {
        LedgerEntry(
            nonce: nonce,
            signedAt: Instant(milliseconds: milliseconds),
            bundleID: "com.example.app",
            keyID: "ABCDEFGHIJ",
            productID: "pro.monthly",
            offerID: "winback50",
            form: .payload,
            caller: "0123456789abcdef",
            customerID: "kunde-ä",
            applicationUsername: "",
            transactionID: nil,
            requestID: "request-1",
            digest: [UInt8](repeating: 9, count: 32)
        )
    }
}

extension IdempotencyRecord {
    static func sample(
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
