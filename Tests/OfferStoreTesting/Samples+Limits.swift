package import EligibilityRules
import Foundation
package import OfferStore

extension Reservation {
    /// One under a single name, made at an instant for so many milliseconds.
    package static func sample(
        _ limit: String,
        _ terms: LimitTerms,
        at instant: Instant,
        for milliseconds: Int64 = Reservation.lifetime
    ) -> Reservation {
        Reservation(
            limit: limit, rule: .uses(terms), counted: [limit], entered: [limit], madeAt: instant,
            expiresAt: instant.advanced(by: milliseconds), nonce: UUID())
    }
}

extension LedgerOutcome {
    /// The limits that kept a submission out; empty where none did.
    package var limits: [String] { if case .limited(let findings) = self { findings.map(\.limit) } else { [] } }
}
