import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting

/// What the suites on limits submit.
protocol LimitSamples {}

extension LimitSamples {
    func at(day: Int64) -> Instant { Instant(milliseconds: 1_800_000_000_000).advanced(by: day * 24 * 3600 * 1000) }

    /// An entry signed on a day, and its one reservation.
    func signature(
        _ rule: Reservation.Rule,
        _ names: [String] = ["a"],
        entered: [String]? = nil,
        day: Int64 = 0,
        after milliseconds: Int64 = 0
    ) -> LedgerSubmission {
        let nonce = UUID()
        let signature = LedgerSignature(nonce: nonce, productID: "pro", offerID: "half", digest: [UInt8](repeating: 1, count: 32))
        let entry = LedgerEntry(
            signedAt: at(day: day), partition: "com.example.app", keyID: "key", form: .payload,
            request: LedgerRequest(id: "r", caller: "caller", applicationUsername: ""),
            signatures: [signature])
        let reservation = Reservation(
            scope: .sample, rule: rule, names: .sample(names, entered: entered), madeAt: at(day: day),
            expiresAt: at(day: day).advanced(by: Reservation.lifetime + milliseconds), nonce: nonce)
        return LedgerSubmission(entry, reservations: [reservation])
    }

    func redemption(
        _ id: String,
        _ names: [String] = ["a"],
        day: Int64 = 0,
        version: Int64 = 1,
        refunded: Bool = false,
        of nonce: UUID? = nil
    ) -> CountedRedemption {
        CountedRedemption(
            partition: "com.example.app", transactionID: id, version: version, total: "total", names: names,
            redeemedAt: at(day: day), isRefunded: refunded, nonce: nonce)
    }

    func evidence(_ outcome: LedgerOutcome) -> LimitEvidence? {
        guard case .limited(let findings) = outcome, case .usedUp(let evidence)? = findings.first?.reason else { return nil }
        return evidence
    }
}

/// An outcome that is not the one a test expects.
struct UnexpectedOutcome: Error {}
